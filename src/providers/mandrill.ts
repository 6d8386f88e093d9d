// Mailchimp Transactional (formerly Mandrill): a list of events in a form; the signature covers the webhook URL too
// (mailchimp.com/developer/transactional/docs/webhooks and …/guides/track-respond-activity-webhooks,
// mandrill.zendesk.com/hc/en-us/articles/360038740734-Message-Event-Webhook-Format).

import { createHmac } from "node:crypto";
import { constantTimeEqual } from "../access/constant-time-equal.ts";
import { type MessageOutcome, reportOf } from "../campaign/events/outcomes.ts";
import { AppError } from "../errors.ts";
import { parseBasicCredentials } from "./authorization-header.ts";
import { composeEventId, parseCampaignId, parseClient, parseIp, toIsoTime } from "./event-fields.ts";
import { type JsonObject, ownProperty, parseJson, toJsonObject } from "./json-object.ts";
import type { Provider } from "./provider.ts";

const eventsField = "mandrill_events";

/** Signs the test request that Mandrill sends to a new URL before the webhook has a key. It contains no events. */
const testKey = "test-webhook";

/** A soft bounce is final: before it, Mandrill sends `deferral`. */
const outcomes = new Map<unknown, MessageOutcome>([
  ["delivered", "delivered"],
  ["hard_bounce", "bounced_hard"],
  ["soft_bounce", "bounced_soft"],
  ["reject", "suppressed"],
  ["unsub", "unsubscribed"],
  ["spam", "complained"],
]);

export const mandrill: Provider = {
  title: "Mailchimp Transactional",
  secret: {
    isRequired: true,
    description: "the key that Mailchimp Transactional shows for the webhook, in the column Key",
    format: {
      description:
        "the key that Mailchimp Transactional shows for the webhook, such as ntynTMaFpM_octE5R1DKAw",
      isValid: (secret) => /^[\w-]{16,}$/.test(secret),
    },
  },
  maxBodyBytes: 10 * 1024 * 1024,
  campaignFieldLocation: "`metadata` of the message, or its first tag as `tags`",
  authenticate({ headers, body, url, secret }) {
    const { "x-mandrill-signature": signature } = headers;
    const form = tryParseForm(body);
    if (typeof signature === "string" && form && secret !== undefined) {
      for (const signedUrl of signedUrls(url, headers.authorization ?? "")) {
        const text = signedTextOf(signedUrl, form);
        if (constantTimeEqual(signature, sign(text, secret))) return undefined;
        const isTest = form.get(eventsField) === "[]" && constantTimeEqual(signature, sign(text, testKey));
        if (isTest) return { body: {} };
      }
    }
    throw new AppError(
      "unauthorized",
      "The request has no valid Mailchimp Transactional signature for this webhook URL and the secret of this source. Compare the secret with the key of the webhook in Mailchimp Transactional, and change it with: email-analytics source change --secret. Compare the webhook URL, too: the signature covers it, so it must be exactly the URL that email-analytics source list prints.",
    );
  },
  parseBody: (body) => parseJson(Buffer.from(parseForm(body).get(eventsField) ?? "")),
  listEvents: (document) => (Array.isArray(document) ? document : undefined),
  convertEvent(event, campaignField) {
    const { event: type, ts, ip, url } = event;
    // Events of some messages contain no `msg`.
    const message = toJsonObject(event.msg);
    const { email: recipient } = message;
    const base = {
      campaign_id: parseCampaignId(
        ownProperty(toJsonObject(message.metadata), campaignField),
        ownProperty(message, campaignField),
      ),
      id: idOf(event, recipient),
      recipient,
      at: toIsoTime(ts),
    };
    const outcome = outcomes.get(type);
    if (outcome) return [{ ...base, ...reportOf(outcome) }];
    if (type !== "open" && type !== "click") return [];
    return [
      {
        ...base,
        type,
        ip: parseIp(ip),
        ...clientOf(event, type),
        ...(type === "click" && { url }),
      },
    ];
  },
};

/** Events have no id; `_id` is the message's. Without it the id stays missing, so that the event is unreadable. */
function idOf(
  { _id: message, event, ts, url, ip, user_agent: userAgent }: JsonObject,
  recipient: unknown,
): unknown {
  if (typeof message !== "string" || message === "") return message;
  return composeEventId(message, recipient, event, ts, url, ip, userAgent);
}

/** Events that are not `mobile` may come from any device; there the user agent decides. */
function clientOf({ user_agent: userAgent, user_agent_parsed: parsed }: JsonObject, type: "open" | "click") {
  const { type: kind, mobile } = toJsonObject(parsed);
  const isMachine = typeof kind === "string" && kind.toLowerCase() === "robot";
  return parseClient({ type, userAgent, isMachine, device: mobile === true ? "mobile" : undefined });
}

function sign(text: string, key: string): string {
  return createHmac("sha1", key).update(text).digest("base64");
}

/**
 * The forms that the URL may have at Mandrill. It signs the URL as entered, so a user name and password in it are signed,
 * too, and arrive in the Authorization header (github.com/anymail/django-anymail/issues/48).
 */
function signedUrls(url: string, authorization: string): readonly string[] {
  const credentials = parseBasicCredentials(authorization);
  if (!credentials) return [url];
  const { user, password } = credentials;
  const [scheme, rest] = url.split(/(?<=^https?:\/\/)/);
  const encoded = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
  return [url, ...[`${user}:${password}`, encoded].map((given) => `${scheme}${given}@${rest}`)];
}

function signedTextOf(url: string, form: ReadonlyMap<string, string>): string {
  const fields = [...form].sort(([one], [other]) => (one < other ? -1 : 1));
  return url + fields.flat().join("");
}

function tryParseForm(body: Uint8Array): ReadonlyMap<string, string> | undefined {
  try {
    return parseForm(body);
  } catch {
    return undefined;
  }
}

const plus = 0x2b;
const space = 0x20;

/** Mandrill sends one field. URLSearchParams takes minutes for a flood of fields; those beyond the limit are ignored. */
const maxFields = 20;

/**
 * Parses a form. The last of several fields with the same name counts, both for the signature and for the events. Two
 * megabytes take a few milliseconds; node:querystring takes several times as long.
 *
 * @throws Error if the body is not a form
 */
function parseForm(body: Uint8Array): ReadonlyMap<string, string> {
  const bytes = Buffer.from(body);
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === plus) bytes[at] = space;
  const form = new Map<string, string>();
  for (const field of bytes.toString().split("&", maxFields)) {
    const [name = ""] = field.split("=", 1);
    form.set(decodeURIComponent(name), decodeURIComponent(field.slice(name.length + 1)));
  }
  return form;
}
