// Brevo (once Sendinblue): transactional messages and marketing campaigns, one event a request or a list of them, without
// a signature (developers.brevo.com/docs/transactional-webhooks, …/marketing-webhooks, …/batch-webhooks).

import type { Device } from "../campaign/events/traffic.ts";
import { admitByAuthorization } from "./authorization.ts";
import {
  campaignOf,
  composedId,
  fieldOf,
  fieldsOf,
  ipOf,
  isFields,
  parseJson,
  timeOfSeconds,
  userAgentOf,
} from "./fields.ts";
import type { Fields, Provider, ProviderEvent } from "./provider.ts";

type Kind = "open" | "proxy" | "click";

/**
 * A first open is `unique_opened` and a later one `opened`. Brevo used to send both for the first, and who asked for both
 * names may get both again: nothing but the name tells the two apart, so they are the same event.
 */
const kinds = new Map<unknown, Kind>([
  ["opened", "open"],
  ["unique_opened", "open"],
  ["proxy_open", "proxy"],
  ["unique_proxy_open", "proxy"],
  ["click", "click"],
]);

const devices = new Map<unknown, Device>([
  ["DESKTOP", "desktop"],
  ["MOBILE", "mobile"],
]);

export const brevo: Provider = {
  title: "Brevo",
  secret: {
    isNeeded: false,
    meaning:
      "a password or token of your own choice; at Brevo it is put into the address, as in `https://any:PASSWORD@…`, or given as the token of the webhook",
  },
  // What is answered with any other status but 2xx is dropped (developers.brevo.com/docs/retry-mechanism).
  triesAgainAfter: "too_many_requests",
  bodyBytesMax: 10 * 1024 * 1024,
  carrier:
    "the header `X-Mailin-custom` of the message (JSON, or `campaign_id:1|…`), or any field of Brevo's, such as `tags`, or `camp_id` of a marketing campaign",
  admit: admitByAuthorization,
  listOf(document) {
    if (Array.isArray(document)) return document;
    return isFields(document) && typeof document.event === "string" ? [document] : undefined;
  },
  read(given, campaignField) {
    const kind = kinds.get(given.event);
    if (kind === undefined) return [];
    const base = {
      campaign_id: campaignOf(
        customFieldOf(given["X-Mailin-custom"], campaignField),
        ownFieldOf(given, campaignField),
      ),
      id: idOf(given, kind),
      recipient: given.email,
      at: timeOfSeconds(secondsOf(given)),
      ...evidenceOf(given),
    };
    const event: ProviderEvent =
      kind === "click" ? { ...base, type: "click", url: linkOf(given) } : { ...base, type: "open" };
    return kind === "proxy" ? [{ ...event, machine: true, device: undefined }] : [event];
  },
};

/**
 * Of the times of an event only these two are UTC: the others are those of the account or of Paris. What is documented as
 * milliseconds has been seen in seconds.
 */
function secondsOf({ ts_event: seconds, ts_epoch: epoch }: Fields): unknown {
  if (seconds !== undefined && seconds !== null) return seconds;
  return typeof epoch === "number" && epoch > 100_000_000_000 ? Math.floor(epoch / 1000) : epoch;
}

/**
 * Brevo gives events no id (`id` is that of the webhook). Two opens of one message within a second are one; clicks are
 * told apart by the link and the millisecond. An event that names no message has no id: it is unreadable.
 */
function idOf(given: Fields, kind: Kind): unknown {
  const { "message-id": message, camp_id: campaign, email, ts_epoch: epoch } = given;
  const sending = [message, campaign].find(isName);
  if (sending === undefined) return message;
  const parts = [kind, sending, email, secondsOf(given)];
  return kind === "click" ? composedId(...parts, epoch, linkOf(given)) : composedId(...parts);
}

function isName(value: unknown): boolean {
  return typeof value === "number" || (typeof value === "string" && value !== "");
}

/** That of a marketing campaign is in capitals. */
function linkOf({ link, URL: address }: Fields): unknown {
  return link ?? address;
}

/**
 * What the sender's own header says: a field of JSON, or of pairs such as `campaign_id:1|language:en`, as Brevo's own
 * examples have it.
 */
function customFieldOf(header: unknown, name: string): unknown {
  if (typeof header !== "string") return undefined;
  if (header.trimStart().startsWith("{")) return fieldOf(fieldsOf(jsonOf(header)), name);
  for (const pair of header.split("|")) {
    const colon = pair.indexOf(":");
    if (colon > 0 && pair.slice(0, colon).trim() === name) return pair.slice(colon + 1);
  }
  return undefined;
}

/** Several tags stand in `tag` as JSON; a single one may stand there as it is. */
function ownFieldOf(given: Fields, name: string): unknown {
  const value = fieldOf(given, name);
  const isList = name === "tag" && typeof value === "string" && value.startsWith("[");
  return isList ? (jsonOf(value) ?? value) : value;
}

function jsonOf(text: string): unknown {
  try {
    return parseJson(Buffer.from(text));
  } catch {
    return undefined;
  }
}

/**
 * In opens and clicks `sending_ip` is where they came from, or `::`. The device is what Brevo makes of the user agent,
 * and that of Gmail's proxy is a desktop to it: it counts only where there is no user agent to be judged here.
 */
function evidenceOf({ user_agent, device_used, sending_ip }: Fields) {
  const userAgent = userAgentOf(user_agent);
  return {
    user_agent: userAgent,
    ip: sending_ip === "::" ? undefined : ipOf(sending_ip),
    device: userAgent === undefined ? devices.get(device_used) : undefined,
  };
}
