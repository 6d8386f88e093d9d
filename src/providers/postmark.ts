// Postmark: one event per request, unsigned (postmarkapp.com/developer/webhooks/open-tracking-webhook and …/click-webhook).

import { type MessageOutcome, reportOf } from "../campaign/events/outcomes.ts";
import type { Device } from "../campaign/events/traffic.ts";
import { checkAuthorizationHeader } from "./authorization-header.ts";
import { composeEventId, parseCampaignId, parseClient, parseIp } from "./event-fields.ts";
import { type JsonObject, ownProperty, toJsonObject } from "./json-object.ts";
import type { Provider, ProviderEvent } from "./provider.ts";

/** `WebMail` may be any device; there the user agent decides. */
const devices = new Map<unknown, Device>([
  ["Desktop", "desktop"],
  ["Mobile", "mobile"],
]);

/** Types of bounces; all others are soft. Undefined: the message has arrived, or Postmark tries again. */
const bounces = new Map<unknown, MessageOutcome | undefined>([
  ["HardBounce", "bounced_hard"],
  ["BadEmailAddress", "bounced_hard"],
  ["ManuallyDeactivated", "suppressed"],
  ["SpamComplaint", "complained"],
  ["Unsubscribe", "unsubscribed"],
  ...["Transient", "AutoResponder", "AddressChange", "ChallengeVerification", "Subscribe"].map(
    (type) => [type, undefined] as const,
  ),
]);

export const postmark: Provider = {
  title: "Postmark",
  secret: {
    isRequired: false,
    description:
      "a password that you choose; in Postmark, put it into the webhook URL: `https://any:PASSWORD@…`",
  },
  maxBodyBytes: 1024 * 1024,
  campaignFieldLocation: "`Metadata` of the message, or `Tag`",
  authenticate: checkAuthorizationHeader,
  listEvents: (document) => [document],
  convertEvent(event, campaignField) {
    const { RecordType: type, MessageID: message, ReceivedAt, DeliveredAt, BouncedAt, ChangedAt } = event;
    const recipient = event.Recipient ?? event.Email;
    const at = ReceivedAt ?? DeliveredAt ?? BouncedAt ?? ChangedAt;
    const base = {
      campaign_id: parseCampaignId(
        ownProperty(toJsonObject(event.Metadata), campaignField),
        ownProperty(event, campaignField),
      ),
      recipient,
      at,
    };
    // Without a message the id stays missing, so that the event is unreadable.
    const idOf = (...more: unknown[]) =>
      typeof message === "string" ? composeEventId(message, recipient, at, type, ...more) : message;
    const outcome = outcomeIn(event);
    if (outcome) return [{ ...base, id: idOf(), ...reportOf(outcome) }];
    if (type === "Click") {
      const { OriginalLink: url } = event;
      return [{ ...base, ...clientOf(event, "click"), type: "click", id: idOf(url), url }];
    }
    if (type !== "Open") return [];
    const read = { ...base, ...clientOf(event, "open") };
    const open: ProviderEvent = { ...read, type: "open", id: idOf() };
    const { ReadSeconds: seconds } = event;
    if (typeof seconds !== "number" || !(seconds > 0)) return [open];
    return [open, { ...read, type: "read", id: idOf("read"), seconds }];
  },
};

function outcomeIn({ RecordType: kind, Type: type, ...change }: JsonObject): MessageOutcome | undefined {
  if (kind === "Delivery") return "delivered";
  if (kind === "SpamComplaint") return "complained";
  if (kind === "Bounce") return bounces.has(type) ? bounces.get(type) : "bounced_soft";
  const { SuppressSending, SuppressionReason, Origin } = change;
  const isByRecipient = SuppressionReason === "ManualSuppression" && Origin === "Recipient";
  return kind === "SubscriptionChange" && SuppressSending === true && isByRecipient
    ? "unsubscribed"
    : undefined;
}

function clientOf(
  { UserAgent: userAgent, Platform: platform, Geo: geo }: JsonObject,
  type: "open" | "click",
) {
  const device = devices.get(platform);
  return { ip: parseIp(toJsonObject(geo).IP), ...parseClient({ type, userAgent, isMachine: false, device }) };
}
