// Mailgun: one event a request, with a signed token beside it
// (documentation.mailgun.com/docs/mailgun/user-manual/webhooks/webhook-payloads, …/webhooks/securing-webhooks,
// …/events/event-structure and …/tracking-messages/open-click-bot-detect).

import { createHmac } from "node:crypto";
import type { Device } from "../campaign/events/traffic.ts";
import { AppError } from "../errors.ts";
import {
  campaignOf,
  composedId,
  fieldOf,
  fieldsOf,
  ipOf,
  isFields,
  isSameText,
  parseJson,
  programOf,
  timeOfSeconds,
} from "./fields.ts";
import type { Fields, Provider } from "./provider.ts";

const types = new Map<unknown, "open" | "click">([
  ["opened", "open"],
  ["clicked", "click"],
]);

const devices = new Map<unknown, Device>([
  ["desktop", "desktop"],
  ["mobile", "mobile"],
  ["tablet", "mobile"],
]);

export const mailgun: Provider = {
  title: "Mailgun",
  secret: {
    isNeeded: true,
    meaning: "the HTTP webhook signing key of the account, which Mailgun shows under API Security",
    faultOf: (secret) =>
      /^[!-~]{20,}$/.test(secret)
        ? undefined
        : "the HTTP webhook signing key that Mailgun shows for the account, of at least 20 characters without spaces",
  },
  bodyBytesMax: 1024 * 1024,
  carrier:
    "a variable of the message (`v:campaign_id`, or `X-Mailgun-Variables`), or its first tag as `tags`",
  /**
   * The event itself is not signed: who has seen a token could send it again with another event, if they knew the address
   * as well. Tokens that have come are not refused, since what could not be delivered may come again with its own.
   */
  admit({ body, secret }) {
    const { timestamp, token, ...signatures } = signatureIn(body);
    const isGiven = ["string", "number"].includes(typeof timestamp) && typeof token === "string";
    if (isGiven && secret !== undefined) {
      const expected = createHmac("sha256", secret).update(`${timestamp}${token}`).digest("hex");
      // An event of a subaccount is signed with the key of the account above it as well.
      for (const given of [signatures.signature, signatures["parent-signature"]]) {
        if (typeof given === "string" && isSameText(given, expected)) return undefined;
      }
    }
    throw new AppError(
      "unauthorized",
      "The request has no signature of Mailgun's with the secret of this source. Compare it with the HTTP webhook signing key that Mailgun shows for the account; set it with: source change --secret. Legacy webhooks, which send no JSON, are not taken.",
    );
  },
  listOf(document) {
    const event = fieldOf(fieldsOf(document), "event-data");
    return isFields(event) ? [event] : undefined;
  },
  read(given, campaignField) {
    const { event, id, timestamp, recipient, ip } = given;
    const type = types.get(event);
    if (type === undefined) return [];
    return [
      {
        campaign_id: campaignOf(
          fieldOf(fieldsOf(given["user-variables"]), campaignField),
          fieldOf(given, campaignField),
        ),
        // By itself, the id is documented as unique within a day.
        id: typeof id === "string" && id !== "" ? composedId(event, id, timestamp) : id,
        recipient,
        type,
        at: timeOfSeconds(timestamp),
        ip: ipOf(ip),
        ...programIn(given["client-info"], type),
        ...(type === "click" && { url: given.url }),
      },
    ];
  },
};

function signatureIn(body: Buffer): Fields {
  try {
    return fieldsOf(fieldOf(fieldsOf(parseJson(body)), "signature"));
  } catch {
    return {};
  }
}

/**
 * `bot` is empty where there is none. Mailgun calls Gmail's image proxy one (mailgun.com/blog/product/bot-detection),
 * through which every open in Gmail comes: that one is told by its user agent, and is a person's.
 */
function programIn(given: unknown, type: "open" | "click") {
  const { bot, "user-agent": userAgent, "device-type": device } = fieldsOf(given);
  const isMachine = bot === true || (typeof bot === "string" && bot !== "");
  return programOf({ type, userAgent, isMachine, device: devices.get(device) });
}
