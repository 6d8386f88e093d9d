// Azure Communication Services through Event Grid, in the schema of Event Grid or of CloudEvents, without a signature
// (learn.microsoft.com/azure/event-grid/communication-services-email-events and …/end-point-validation-event-grid-events-schema).

import type { Device } from "../campaign/events/traffic.ts";
import { admitByAuthorization } from "./authorization.ts";
import { campaignOf, fieldOf, fieldsOf, isFields, parseJson, userAgentOf } from "./fields.ts";
import type { Handshake, Provider, Webhook } from "./provider.ts";

const reportType = "Microsoft.Communication.EmailEngagementTrackingReportReceived";
const validationType = "Microsoft.EventGrid.SubscriptionValidationEvent";

const types = new Map<string, "open" | "click">([
  ["view", "open"],
  ["click", "click"],
]);

/** In place of a user agent there may be just that. */
const devices = new Map<string | undefined, Device>([
  ["desktop", "desktop"],
  ["mobile", "mobile"],
  ["tablet", "mobile"],
]);

export const azure: Provider = {
  title: "Azure Communication Services",
  secret: {
    isNeeded: false,
    meaning:
      "a token of your own choice, to be sent by Event Grid: the delivery property `Authorization` is `Bearer TOKEN`",
  },
  bodyBytesMax: 2 * 1024 * 1024,
  carrier:
    "the header `Message-ID` that you give the message: `<FIELD.CAMPAIGN.UNIQUE@your-domain>`, with the campaign field as FIELD; or `sender`, the address that it is sent from",
  admit: (webhook) => handshakeOf(webhook) ?? admitByAuthorization(webhook),
  // A CloudEvent comes alone, unless batches are asked for.
  listOf: (document) => (Array.isArray(document) ? document : isFields(document) ? [document] : undefined),
  read(given, campaignField) {
    if ((given.eventType ?? given.type) !== reportType) return [];
    const data = fieldsOf(given.data);
    // Of both names there are two spellings, in the documentation and in the libraries.
    const engagement = data.engagementType ?? data.engagement;
    const type = types.get(typeof engagement === "string" ? engagement.toLowerCase() : "");
    if (type === undefined) return [];
    return [
      {
        // Of a message to several no recipient is told: what can be said of nobody is no event of the campaign.
        campaign_id:
          (data.recipient ?? "") === ""
            ? undefined
            : campaignOf(
                campaignInMessageId(data.internetMessageId, campaignField),
                fieldOf(data, campaignField),
              ),
        id: given.id,
        recipient: data.recipient,
        type,
        at: data.userActionTimestamp ?? data.userActionTimeStamp,
        ...(type === "click" && { url: data.engagementContext }),
        ...evidenceOf(data.userAgent),
      },
    ];
  },
};

/** Answered to whoever asks: it tells nothing, and delivery properties may not stand in that request yet. */
function handshakeOf({ headers, body }: Webhook): Handshake | undefined {
  if (headers["aeg-event-type"] !== "SubscriptionValidation") return undefined;
  let document: unknown;
  try {
    document = parseJson(body);
  } catch {
    return undefined;
  }
  const { eventType, data } = fieldsOf(Array.isArray(document) ? document[0] : document);
  const { validationCode } = fieldsOf(data);
  if (eventType !== validationType || typeof validationCode !== "string") return undefined;
  return { body: { validationResponse: validationCode } };
}

/** A line of a message has no more characters (RFC 5322, 2.1.1). */
const messageIdLengthMax = 998;

/**
 * Nothing else that the sender chooses for a message comes back in its reports. The unique part has no dot, so that the
 * campaign may have some.
 */
function campaignInMessageId(messageId: unknown, campaignField: string): string | undefined {
  if (typeof messageId !== "string" || messageId.length > messageIdLengthMax) return undefined;
  const [local = "", domain] = messageId.trim().replace(/^</, "").split("@", 2);
  if (domain === undefined) return undefined;
  const start = campaignField.length + 1;
  const end = local.lastIndexOf(".");
  return local.startsWith(`${campaignField}.`) && end > start ? local.slice(start, end) : undefined;
}

function evidenceOf(given: unknown) {
  const userAgent = userAgentOf(given);
  const device = devices.get(userAgent?.toLowerCase());
  return device === undefined ? { user_agent: userAgent } : { device };
}
