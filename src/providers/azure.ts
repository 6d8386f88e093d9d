// Azure Communication Services: events from Event Grid, unsigned, in the Event Grid schema or as CloudEvents
// (learn.microsoft.com/azure/event-grid/communication-services-email-events and …/end-point-validation-event-grid-events-schema).

import { type MessageOutcome, reportOf } from "../campaign/events/outcomes.ts";
import type { Device } from "../campaign/events/traffic.ts";
import { checkAuthorizationHeader } from "./authorization-header.ts";
import { parseCampaignId, parseUserAgent } from "./event-fields.ts";
import { isJsonObject, type JsonObject, ownProperty, toJsonObject, tryParseJson } from "./json-object.ts";
import type { Provider, ProviderEvent, ValidationResponse, WebhookRequest } from "./provider.ts";

const deliveryType = "Microsoft.Communication.EmailDeliveryReportReceived";
const reportType = "Microsoft.Communication.EmailEngagementTrackingReportReceived";
const validationType = "Microsoft.EventGrid.SubscriptionValidationEvent";

const types = new Map<string, "open" | "click">([
  ["view", "open"],
  ["click", "click"],
]);

/** Another status than these and the ones without a result means that the message failed. */
const outcomes = new Map<unknown, MessageOutcome>([
  ["Delivered", "delivered"],
  ["Bounced", "bounced_hard"],
  ["Suppressed", "suppressed"],
]);
const withoutResult = new Set<unknown>(["Expanded", "OutForDelivery", undefined]);

/** Event Grid may send one of these words instead of a user agent. */
const devices = new Map<string | undefined, Device>([
  ["desktop", "desktop"],
  ["mobile", "mobile"],
  ["tablet", "mobile"],
]);

export const azure: Provider = {
  title: "Azure Communication Services",
  secret: {
    isRequired: false,
    description:
      "a token that you choose; in Event Grid, set the delivery property `Authorization` to `Bearer TOKEN`",
  },
  maxBodyBytes: 2 * 1024 * 1024,
  campaignFieldLocation:
    "the `Message-ID` header that you set on the message: `<FIELD.CAMPAIGN.UNIQUE@your-domain>`, where FIELD is the name of the campaign field; or `sender`, the address you send from",
  authenticate: (request) => validationResponseTo(request) ?? checkAuthorizationHeader(request),
  // A CloudEvent arrives without a list unless batching is enabled.
  listEvents: (document) =>
    Array.isArray(document) ? document : isJsonObject(document) ? [document] : undefined,
  convertEvent(event, campaignField) {
    const data = toJsonObject(event.data);
    const kind = event.eventType ?? event.type;
    const base = {
      campaign_id: campaignOf(data, campaignField),
      id: event.id,
      recipient: data.recipient,
    };
    if (kind === deliveryType && !withoutResult.has(data.status)) {
      const at = data.deliveryAttemptTimeStamp ?? data.deliveryAttemptTimestamp;
      return [{ ...base, ...reportOf(outcomes.get(data.status) ?? "bounced_soft"), at }];
    }
    if (kind !== reportType) return [];
    // The documentation and the client libraries spell both of these names differently.
    const engagement = data.engagementType ?? data.engagement;
    const type = types.get(typeof engagement === "string" ? engagement.toLowerCase() : "");
    if (type === undefined) return [];
    return [
      {
        ...base,
        type,
        at: data.userActionTimestamp ?? data.userActionTimeStamp,
        ...(type === "click" && { url: data.engagementContext }),
        ...clientOf(data.userAgent),
      },
    ];
  },
};

/**
 * Responds to the validation handshake of a subscription. It needs no secret: the response reveals nothing, and the
 * delivery properties may not be set on this request yet.
 */
function validationResponseTo({ headers, body }: WebhookRequest): ValidationResponse | undefined {
  if (headers["aeg-event-type"] !== "SubscriptionValidation") return undefined;
  const document = tryParseJson(body);
  const { eventType, data } = toJsonObject(Array.isArray(document) ? document[0] : document);
  const { validationCode } = toJsonObject(data);
  if (eventType !== validationType || typeof validationCode !== "string") return undefined;
  return { body: { validationResponse: validationCode } };
}

/** Undefined without a recipient: reports on a message to several recipients do not name them, so they are ignored. */
function campaignOf(data: JsonObject, campaignField: string): number | string | undefined {
  if ((data.recipient ?? "") === "") return undefined;
  return parseCampaignId(
    campaignInMessageId(data.internetMessageId, campaignField),
    ownProperty(data, campaignField),
  );
}

/** The longest line of a message (RFC 5322, 2.1.1). */
const maxMessageIdLength = 998;

/**
 * The Message-ID is the only value chosen by the sender that reports contain. The unique part has no dot, so that the
 * campaign may contain dots.
 */
function campaignInMessageId(messageId: unknown, campaignField: string): string | undefined {
  if (typeof messageId !== "string" || messageId.length > maxMessageIdLength) return undefined;
  const [local = "", domain] = messageId.trim().replace(/^</, "").split("@", 2);
  if (domain === undefined) return undefined;
  const start = campaignField.length + 1;
  const end = local.lastIndexOf(".");
  return local.startsWith(`${campaignField}.`) && end > start ? local.slice(start, end) : undefined;
}

function clientOf(value: unknown): Pick<ProviderEvent, "user_agent" | "device"> {
  const userAgent = parseUserAgent(value);
  const device = devices.get(userAgent?.toLowerCase());
  return device === undefined ? { user_agent: userAgent } : { device };
}
