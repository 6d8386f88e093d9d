// Mailchimp Transactional, once Mandrill: a list of events in a form, signed together with the address
// (mailchimp.com/developer/transactional/docs/webhooks and …/guides/track-respond-activity-webhooks,
// mandrill.zendesk.com/hc/en-us/articles/360038740734-Message-Event-Webhook-Format).

import { createHmac } from "node:crypto";
import { AppError } from "../errors.ts";
import {
  campaignOf,
  composedId,
  fieldOf,
  fieldsOf,
  ipOf,
  isSameText,
  parseJson,
  programOf,
  timeOfSeconds,
} from "./fields.ts";
import type { Fields, Provider } from "./provider.ts";

const eventsField = "mandrill_events";

/** What an address is asked with before it has a key, should it not answer HEAD: no events, signed with this. */
const testKey = "test-webhook";

export const mandrill: Provider = {
  title: "Mailchimp Transactional",
  secret: {
    isNeeded: true,
    meaning: "the key that Mailchimp Transactional shows for the webhook, in the column Key",
    faultOf: (secret) =>
      /^[\w-]{16,}$/.test(secret)
        ? undefined
        : "the key that Mailchimp Transactional shows for the webhook, such as ntynTMaFpM_octE5R1DKAw",
  },
  bodyBytesMax: 10 * 1024 * 1024,
  carrier: "`metadata` of the message, or its first tag as `tags`",
  admit({ headers, body, url, secret }) {
    const { "x-mandrill-signature": given } = headers;
    const form = formOrNone(body);
    if (typeof given === "string" && form && secret !== undefined) {
      const text = signedTextOf(url, form);
      if (isSameText(given, signatureOf(text, secret))) return undefined;
      const isTest = form.get(eventsField) === "[]" && isSameText(given, signatureOf(text, testKey));
      if (isTest) return { body: {} };
    }
    throw new AppError(
      "unauthorized",
      "The request has no signature of Mailchimp Transactional's for this address with the secret of this source. Compare the secret with the key that is shown there for the webhook (set it with: source change --secret), and the address there with the one that source list prints: it is signed as well, letter by letter.",
    );
  },
  parse: (body) => parseJson(Buffer.from(formOf(body).get(eventsField) ?? "")),
  listOf: (document) => (Array.isArray(document) ? document : undefined),
  read(given, campaignField) {
    const { event: type, ts, ip, url } = given;
    if (type !== "open" && type !== "click") return [];
    // Of some messages nothing but the event is told.
    const message = fieldsOf(given.msg);
    const { email: recipient } = message;
    return [
      {
        campaign_id: campaignOf(
          fieldOf(fieldsOf(message.metadata), campaignField),
          fieldOf(message, campaignField),
        ),
        id: idOf(given, recipient),
        recipient,
        type,
        at: timeOfSeconds(ts),
        ip: ipOf(ip),
        ...programIn(given, type),
        ...(type === "click" && { url }),
      },
    ];
  },
};

/** `_id` is that of the message, and events have none. Without it, an event is unreadable, and not taken for another one. */
function idOf(
  { _id: message, event, ts, url, ip, user_agent: userAgent }: Fields,
  recipient: unknown,
): unknown {
  if (typeof message !== "string" || message === "") return message;
  return composedId(message, recipient, event, ts, url, ip, userAgent);
}

/** Whatever is not mobile may be anything: there the user agent tells. */
function programIn({ user_agent: userAgent, user_agent_parsed: given }: Fields, type: "open" | "click") {
  const { type: kind, mobile } = fieldsOf(given);
  const isMachine = typeof kind === "string" && kind.toLowerCase() === "robot";
  return programOf({ type, userAgent, isMachine, device: mobile === true ? "mobile" : undefined });
}

function signatureOf(text: string, key: string): string {
  return createHmac("sha1", key).update(text).digest("base64");
}

function signedTextOf(url: string, form: ReadonlyMap<string, string>): string {
  const fields = [...form].sort(([one], [other]) => (one < other ? -1 : 1));
  return url + fields.flat().join("");
}

function formOrNone(body: Uint8Array): ReadonlyMap<string, string> | undefined {
  try {
    return formOf(body);
  } catch {
    return undefined;
  }
}

const plus = 0x2b;
const space = 0x20;

/** There is one, so far. A flood of them takes URLSearchParams minutes; what is beyond is in no signature. */
const fieldsMax = 20;

/**
 * The fields of a form. Of several with the same name the last one counts, in the signature as in what is read. Two
 * megabytes take a few milliseconds here, and several times as long with node:querystring.
 *
 * @throws Error when they are no form
 */
function formOf(body: Uint8Array): ReadonlyMap<string, string> {
  const bytes = Buffer.from(body);
  for (let at = 0; at < bytes.length; at++) if (bytes[at] === plus) bytes[at] = space;
  const form = new Map<string, string>();
  for (const field of bytes.toString().split("&", fieldsMax)) {
    const [name = ""] = field.split("=", 1);
    form.set(decodeURIComponent(name), decodeURIComponent(field.slice(name.length + 1)));
  }
  return form;
}
