// Twilio SendGrid: a list of events, signed with a key of the webhook
// (twilio.com/docs/sendgrid/for-developers/tracking-events/event and …/getting-started-event-webhook-security-features).

import { createPublicKey, createVerify, type KeyObject } from "node:crypto";
import { type MessageOutcome, reportOf } from "../campaign/events/outcomes.ts";
import { AppError } from "../errors.ts";
import { parseCampaignId, parseIp, parseUserAgent, toIsoTime } from "./event-fields.ts";
import { ownProperty } from "./json-object.ts";
import type { Provider, ProviderEvent } from "./provider.ts";

const signatureHeader = "x-twilio-email-event-webhook-signature";
const timestampHeader = "x-twilio-email-event-webhook-timestamp";

const outcomes = new Map<unknown, MessageOutcome>([
  ["delivered", "delivered"],
  ["bounce", "bounced_soft"],
  ["dropped", "suppressed"],
  ["unsubscribe", "unsubscribed"],
  ["group_unsubscribe", "unsubscribed"],
  ["spamreport", "complained"],
]);

export const sendgrid: Provider = {
  title: "Twilio SendGrid",
  secret: {
    isRequired: true,
    description:
      "the verification key that SendGrid shows for the webhook after you turn on signature verification",
    format: {
      description:
        "the verification key that SendGrid shows for the webhook, such as MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE…",
      isValid: (secret) => parsePublicKey(secret) !== undefined,
    },
  },
  maxBodyBytes: 10 * 1024 * 1024,
  campaignFieldLocation:
    "`custom_args` of the message, its `category`, or a field of SendGrid's events, such as `singlesend_id` for a Single Send",
  /** The timestamp may have any age: SendGrid retries for a day, and repeated events count once. */
  authenticate({ headers, body, secret = "" }) {
    const { [signatureHeader]: signature, [timestampHeader]: timestamp } = headers;
    if (typeof signature !== "string" || typeof timestamp !== "string") {
      throw new AppError(
        "unauthorized",
        "The request is not signed. Turn on signature verification for the webhook in SendGrid, and give its verification key to this source with: email-analytics source change --secret.",
      );
    }
    // OpenSSL instead of SendGrid's library, which computes in JavaScript: slower, not in constant time, and it once
    // accepted a signature of zeros (CVE-2021-43571).
    const key = parsePublicKey(secret);
    const signed = createVerify("sha256").update(timestamp).update(body);
    if (key && signed.verify(key, signature, "base64")) return undefined;
    throw new AppError(
      "unauthorized",
      "The request has no valid SendGrid signature for the secret of this source. Compare the secret with the verification key that SendGrid shows for the webhook, and change it with: email-analytics source change --secret.",
    );
  },
  listEvents: (document) => (Array.isArray(document) ? document : undefined),
  convertEvent(event, campaignField) {
    const { event: type, sg_event_id: id, email: recipient, timestamp, useragent, ip } = event;
    const base: Omit<ProviderEvent, "type"> = {
      // SendGrid puts custom arguments next to its own fields, which take precedence.
      campaign_id: parseCampaignId(ownProperty(event, campaignField)),
      id,
      recipient,
      at: toIsoTime(timestamp),
    };
    // The type `blocked` is a soft bounce.
    const outcome = type === "bounce" && event.type === "bounce" ? "bounced_hard" : outcomes.get(type);
    if (outcome) return [{ ...base, ...reportOf(outcome) }];
    if (type !== "open" && type !== "click") return [];
    const read = { ...base, user_agent: parseUserAgent(useragent), ip: parseIp(ip) };
    if (type === "click") return [{ ...read, type, url: event.url }];
    // `sg_machine_open` means Apple Mail Privacy Protection, which SendGrid recognizes by its IP addresses.
    return [{ ...read, type, ...(event.sg_machine_open === true && { machine: true }) }];
  },
};

/** A public key on the curve P-256, from DER in base64; undefined for anything else. */
function parsePublicKey(text: string): KeyObject | undefined {
  if (!/^[\d+/A-Za-z]+={0,2}$/.test(text)) return undefined;
  try {
    const key = createPublicKey({ key: Buffer.from(text, "base64"), format: "der", type: "spki" });
    return key.asymmetricKeyDetails?.namedCurve === "prime256v1" ? key : undefined;
  } catch {
    return undefined;
  }
}
