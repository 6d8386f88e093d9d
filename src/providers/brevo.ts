// Brevo (formerly Sendinblue): transactional messages and marketing campaigns, unsigned, one event or a list per request
// (developers.brevo.com/docs/transactional-webhooks, …/marketing-webhooks, …/batch-webhooks).

import { type MessageOutcome, reportOf } from "../campaign/events/outcomes.ts";
import type { Device } from "../campaign/events/traffic.ts";
import { checkAuthorizationHeader } from "./authorization-header.ts";
import { composeEventId, parseCampaignId, parseIp, parseUserAgent, toIsoTime } from "./event-fields.ts";
import { isJsonObject, type JsonObject, ownProperty, toJsonObject, tryParseJson } from "./json-object.ts";
import type { Provider, ProviderEvent } from "./provider.ts";

type Kind = "open" | "proxy" | "click" | MessageOutcome;

/**
 * Brevo reports a first open as `unique_opened` and later ones as `opened`. It used to send both for a first open, and a
 * webhook that is subscribed to both may receive both again. Only the name differs, so they count as the same event.
 */
const kinds = new Map<unknown, Kind>([
  ["opened", "open"],
  ["unique_opened", "open"],
  ["proxy_open", "proxy"],
  ["unique_proxy_open", "proxy"],
  ["click", "click"],
  ["delivered", "delivered"],
  ["hard_bounce", "bounced_hard"],
  ["invalid_email", "bounced_hard"],
  ["soft_bounce", "bounced_soft"],
  ["blocked", "suppressed"],
  ["error", "suppressed"],
  ["unsubscribe", "unsubscribed"],
  ["unsubscribed", "unsubscribed"],
  ["spam", "complained"],
  ["complaint", "complained"],
]);

const devices = new Map<unknown, Device>([
  ["DESKTOP", "desktop"],
  ["MOBILE", "mobile"],
]);

export const brevo: Provider = {
  title: "Brevo",
  secret: {
    isRequired: false,
    description:
      "a password or token that you choose; in Brevo, put it into the webhook URL, as in `https://any:PASSWORD@…`, or set it as the token of the webhook",
  },
  // Brevo discards events after any status other than 2xx and 429 (developers.brevo.com/docs/retry-mechanism).
  retryCode: "too_many_requests",
  maxBodyBytes: 10 * 1024 * 1024,
  campaignFieldLocation:
    "the `X-Mailin-custom` header of the message (JSON, or `campaign_id:1|…`), or any field of Brevo's events, such as `tags`, or `camp_id` for a marketing campaign",
  authenticate: checkAuthorizationHeader,
  listEvents(document) {
    if (Array.isArray(document)) return document;
    return isJsonObject(document) && typeof document.event === "string" ? [document] : undefined;
  },
  convertEvent(event, campaignField) {
    const kind = kinds.get(event.event);
    if (kind === undefined) return [];
    const base = {
      campaign_id: parseCampaignId(
        customHeaderField(event["X-Mailin-custom"], campaignField),
        brevoField(event, campaignField),
      ),
      id: idOf(event, kind),
      recipient: event.email,
      at: toIsoTime(secondsOf(event)),
    };
    if (kind !== "open" && kind !== "proxy" && kind !== "click") return [{ ...base, ...reportOf(kind) }];
    const read = { ...base, ...clientOf(event) };
    const converted: ProviderEvent =
      kind === "click" ? { ...read, type: "click", url: linkOf(event) } : { ...read, type: "open" };
    return kind === "proxy" ? [{ ...converted, machine: true, device: undefined }] : [converted];
  },
};

/**
 * The milliseconds of the event since 1970. Some events have them as `s_epoch`; `ts_epoch` is documented in milliseconds
 * but has been observed in seconds.
 */
function epochOf({ ts_epoch: epoch, s_epoch: other }: JsonObject): number | undefined {
  const value = [epoch, other].find((each) => isNonEmpty(each) && /^\d+(\.\d+)?$/.test(String(each)));
  if (value === undefined) return undefined;
  return Number(value) > 100_000_000_000 ? Number(value) : Number(value) * 1000;
}

/**
 * The other times are in the time zone of the account or of Paris. `ts_event` is documented as UTC, but live events had
 * it in another zone than `ts_epoch` (github.com/anymail/django-anymail, tests/test_brevo_webhooks.py).
 */
function secondsOf(event: JsonObject): unknown {
  const epoch = epochOf(event);
  return epoch === undefined ? (event.ts_event ?? event.ts_epoch) : Math.floor(epoch / 1000);
}

/**
 * Brevo's events have no id (`id` is the webhook's). Two opens of one message in the same second are one event; the link
 * and the millisecond distinguish clicks. Without a message the id stays missing, so the event is unreadable.
 */
function idOf(event: JsonObject, kind: Kind): unknown {
  const { "message-id": message, camp_id: campaign, email } = event;
  const sending = [message, campaign].find(isNonEmpty);
  if (sending === undefined) return message;
  const parts = [kind, sending, email, secondsOf(event)];
  return kind === "click"
    ? composeEventId(...parts, epochOf(event), linkOf(event))
    : composeEventId(...parts);
}

function isNonEmpty(value: unknown): boolean {
  return typeof value === "number" || (typeof value === "string" && value !== "");
}

/** Marketing campaigns use `URL`. */
function linkOf({ link, URL: url }: JsonObject): unknown {
  return link ?? url;
}

/** A field of the sender's own header: JSON, or pairs such as `campaign_id:1|language:en`, as in Brevo's examples. */
function customHeaderField(header: unknown, name: string): unknown {
  if (typeof header !== "string") return undefined;
  if (header.trimStart().startsWith("{"))
    return ownProperty(toJsonObject(tryParseJson(Buffer.from(header))), name);
  for (const pair of header.split("|")) {
    const colon = pair.indexOf(":");
    if (colon > 0 && pair.slice(0, colon).trim() === name) return pair.slice(colon + 1);
  }
  return undefined;
}

/** A field of the event. `tag` contains several tags as a JSON list, but may contain a single one as plain text. */
function brevoField(event: JsonObject, name: string): unknown {
  const value = ownProperty(event, name);
  const isList = name === "tag" && typeof value === "string" && value.startsWith("[");
  return isList ? (tryParseJson(Buffer.from(value)) ?? value) : value;
}

/**
 * For opens and clicks, `sending_ip` is the address of the client, or `::`. Brevo derives the device from the user agent
 * and takes Gmail's image proxy for a desktop, so the device counts only without a user agent.
 */
function clientOf({ user_agent, device_used, sending_ip }: JsonObject) {
  const userAgent = parseUserAgent(user_agent);
  return {
    user_agent: userAgent,
    ip: sending_ip === "::" ? undefined : parseIp(sending_ip),
    device: userAgent === undefined ? devices.get(device_used) : undefined,
  };
}
