// Amazon SES: one event per Amazon SNS message
// (docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html).

import { type MessageOutcome, reportOf } from "../campaign/events/outcomes.ts";
import { composeEventId, headerOf, parseCampaignId, parseIp, parseUserAgent } from "./event-fields.ts";
import { isJsonObject, type JsonObject, ownProperty, parseJson, toJsonObject } from "./json-object.ts";
import type { Provider, ProviderEvent } from "./provider.ts";
import { authenticateSnsMessage, topicArnFormat } from "./sns.ts";

/** SES publishes this text when it is connected to the topic; every other message is JSON. */
const connectionNotice = "Successfully validated SNS topic";

/** Whether a permanent bounce means that Amazon did not try, because the address is on a suppression list. */
export const isSuppressed = (subType: unknown): boolean =>
  /Suppress|^UnsubscribedRecipient$/.test(String(subType));

/** The outcomes by the type of the event, from its details. A complaint with a subtype is a suppression, too. */
const outcomes = new Map<unknown, (details: JsonObject) => MessageOutcome | undefined>([
  ["Delivery", () => "delivered"],
  [
    "Bounce",
    ({ bounceType, bounceSubType }) => {
      if (isSuppressed(bounceSubType)) return "suppressed";
      return bounceType === "Permanent" ? "bounced_hard" : "bounced_soft";
    },
  ],
  ["Complaint", ({ complaintSubType }) => (complaintSubType ? "suppressed" : "complained")],
  ["Reject", () => "suppressed"],
  ["Rendering Failure", () => "suppressed"],
  [
    "Subscription",
    ({ newTopicPreferences }) => (hasOptedOut(newTopicPreferences) ? "unsubscribed" : undefined),
  ],
]);

export const ses: Provider = {
  title: "Amazon SES",
  secret: {
    isRequired: false,
    description:
      "the ARN of the SNS topic, so that messages from other topics, even in other AWS accounts, are refused",
    format: topicArnFormat,
  },
  maxBodyBytes: 1024 * 1024,
  campaignFieldLocation:
    "message tags (`EmailTags`, or the `X-SES-MESSAGE-TAGS` header), or a header of the message with the name of the field",
  authenticate: authenticateSnsMessage,
  parseBody(body) {
    const { Message: text } = toJsonObject(parseJson(body));
    if (typeof text !== "string") throw new Error("the SNS message contains no text");
    return text.startsWith(connectionNotice) ? {} : parseJson(Buffer.from(text));
  },
  listEvents: (document) => (isJsonObject(document) ? [document] : undefined),
  convertEvent(event, campaignField) {
    const { eventType } = event;
    // Notifications of an identity, without a configuration set, have outcomes only.
    const kind = eventType ?? event.notificationType;
    const mail = toJsonObject(event.mail);
    const outcome = outcomes.get(kind);
    if (outcome) return toOutcomes(event, mail, { kind, outcome, campaign_id: fieldOf(mail, campaignField) });
    if (eventType !== "Open" && eventType !== "Click") return [];
    const {
      timestamp: at,
      link,
      userAgent,
      ipAddress,
    } = toJsonObject(eventType === "Open" ? event.open : event.click);
    const recipient = recipientOf(mail);
    const { messageId: message } = mail;
    const base = {
      campaign_id: campaignOf(mail, campaignField),
      // The id of an SNS message changes when the same event arrives through another topic or event destination.
      id:
        typeof message === "string"
          ? composeEventId(message, recipient, eventType, at, link, ipAddress, userAgent)
          : message,
      recipient,
      at,
      user_agent: parseUserAgent(userAgent),
      ip: parseIp(ipAddress),
    };
    return [eventType === "Open" ? { ...base, type: "open" } : { ...base, type: "click", url: link }];
  },
};

/** An outcome names its recipients, also those of a message to several. */
function toOutcomes(
  event: JsonObject,
  mail: JsonObject,
  {
    kind,
    outcome,
    campaign_id,
  }: {
    kind: unknown;
    outcome: (details: JsonObject) => MessageOutcome | undefined;
    campaign_id: number | string | undefined;
  },
): ProviderEvent[] {
  const details = toJsonObject(event[String(kind).toLowerCase()]);
  const name = outcome(details);
  if (name === undefined) return [];
  const { recipients, bouncedRecipients, complainedRecipients, timestamp: at = mail.timestamp } = details;
  const list = recipients ?? bouncedRecipients ?? complainedRecipients ?? mail.destination;
  return (Array.isArray(list) ? list : [list]).map((each: unknown) => {
    const recipient = isJsonObject(each) ? each.emailAddress : each;
    const { messageId: message } = mail;
    const id = typeof message === "string" ? composeEventId(message, recipient, kind, at) : message;
    return { campaign_id, id, recipient, at, ...reportOf(name) };
  });
}

function hasOptedOut(preferences: unknown): boolean {
  const { unsubscribeAll, topicSubscriptionStatus: topics } = toJsonObject(preferences);
  const isOptOut = (topic: unknown) => toJsonObject(topic).subscriptionStatus === "OptOut";
  return unsubscribeAll === true || (Array.isArray(topics) && topics.some(isOptOut));
}

/**
 * Undefined for a message to several recipients: they all have the same pixel and links, so nothing says which one
 * opened or clicked, and the event is ignored.
 */
function campaignOf(mail: JsonObject, campaignField: string): number | string | undefined {
  if (Array.isArray(mail.destination) && mail.destination.length > 1) return undefined;
  return fieldOf(mail, campaignField);
}

function fieldOf(mail: JsonObject, campaignField: string): number | string | undefined {
  return parseCampaignId(
    ownProperty(toJsonObject(mail.tags), campaignField),
    headerOf(mail.headers, campaignField),
    ownProperty(mail, campaignField),
  );
}

function recipientOf({ destination }: JsonObject): unknown {
  return Array.isArray(destination) ? destination[0] : destination;
}
