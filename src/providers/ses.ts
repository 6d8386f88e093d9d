// Amazon SES: one event per Amazon SNS message
// (docs.aws.amazon.com/ses/latest/dg/event-publishing-retrieving-sns-contents.html).

import { composeEventId, headerOf, parseCampaignId, parseIp, parseUserAgent } from "./event-fields.ts";
import { isJsonObject, type JsonObject, ownProperty, parseJson, toJsonObject } from "./json-object.ts";
import type { Provider } from "./provider.ts";
import { authenticateSnsMessage, topicArnFormat } from "./sns.ts";

/** SES publishes this text when it is connected to the topic; every other message is JSON. */
const connectionNotice = "Successfully validated SNS topic";

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
    if (eventType !== "Open" && eventType !== "Click") return [];
    const mail = toJsonObject(event.mail);
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

/**
 * Undefined for a message to several recipients: they all have the same pixel and links, so nothing says which one
 * opened or clicked, and the event is ignored.
 */
function campaignOf(mail: JsonObject, campaignField: string): number | string | undefined {
  if (Array.isArray(mail.destination) && mail.destination.length > 1) return undefined;
  return parseCampaignId(
    ownProperty(toJsonObject(mail.tags), campaignField),
    headerOf(mail.headers, campaignField),
    ownProperty(mail, campaignField),
  );
}

function recipientOf({ destination }: JsonObject): unknown {
  return Array.isArray(destination) ? destination[0] : destination;
}
