// Twilio SendGrid: a list of events, signed with a key of the webhook's own
// (twilio.com/docs/sendgrid/for-developers/tracking-events/event and …/getting-started-event-webhook-security-features).

import { createPublicKey, createVerify, type KeyObject } from "node:crypto";
import { AppError } from "../errors.ts";
import { campaignOf, fieldOf, ipOf, timeOfSeconds, userAgentOf } from "./fields.ts";
import type { Provider, ProviderEvent } from "./provider.ts";

const signatureHeader = "x-twilio-email-event-webhook-signature";
const timestampHeader = "x-twilio-email-event-webhook-timestamp";

export const sendgrid: Provider = {
  title: "Twilio SendGrid",
  secret: {
    isNeeded: true,
    meaning:
      "the verification key that SendGrid shows for the webhook once its signature verification is switched on",
    faultOf: (secret) =>
      publicKeyIn(secret)
        ? undefined
        : "the verification key that SendGrid shows for the webhook, such as MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE…",
  },
  bodyBytesMax: 10 * 1024 * 1024,
  carrier:
    "`custom_args` of the message, its `category`, or a field of SendGrid's own, such as `singlesend_id` of a Single Send",
  /** No time is prescribed: what could not be delivered comes again for a day. What comes twice counts once. */
  admit({ headers, body, secret = "" }) {
    const { [signatureHeader]: signature, [timestampHeader]: timestamp } = headers;
    if (typeof signature !== "string" || typeof timestamp !== "string") {
      throw new AppError(
        "unauthorized",
        "The request is not signed. Switch the signature verification of the webhook on at SendGrid, and give its verification key to this source with: source change --secret.",
      );
    }
    // OpenSSL's arithmetic. The library that SendGrid offers calculates in JavaScript, which takes much longer and in time
    // that depends on the numbers, and once took a signature of zeros for a right one (CVE-2021-43571).
    const key = publicKeyIn(secret);
    const text = createVerify("sha256").update(timestamp).update(body);
    if (key && text.verify(key, signature, "base64")) return undefined;
    throw new AppError(
      "unauthorized",
      "The signature is not SendGrid's for this request. Compare the verification key that SendGrid shows for the webhook with the secret of this source; set it with: source change --secret.",
    );
  },
  listOf: (document) => (Array.isArray(document) ? document : undefined),
  read(given, campaignField) {
    const { event: type, sg_event_id: id, email: recipient, timestamp, useragent, ip } = given;
    if (type !== "open" && type !== "click") return [];
    const base: Omit<ProviderEvent, "type"> = {
      // The custom arguments stand among SendGrid's own fields, which go before.
      campaign_id: campaignOf(fieldOf(given, campaignField)),
      id,
      recipient,
      at: timeOfSeconds(timestamp),
      user_agent: userAgentOf(useragent),
      ip: ipOf(ip),
    };
    if (type === "click") return [{ ...base, type, url: given.url }];
    // Apple Mail Privacy Protection has opened it, told by where it came from.
    return [{ ...base, type, ...(given.sg_machine_open === true && { machine: true }) }];
  },
};

/** Undefined where it is no public key on the curve P-256, as DER in base64. */
function publicKeyIn(text: string): KeyObject | undefined {
  if (!/^[\d+/A-Za-z]+={0,2}$/.test(text)) return undefined;
  try {
    const key = createPublicKey({ key: Buffer.from(text, "base64"), format: "der", type: "spki" });
    return key.asymmetricKeyDetails?.namedCurve === "prime256v1" ? key : undefined;
  } catch {
    return undefined;
  }
}
