// Mailgun: one event per request, with a signed token next to it
// (documentation.mailgun.com/docs/mailgun/user-manual/webhooks/webhook-payloads, …/webhooks/securing-webhooks,
// …/events/event-structure and …/tracking-messages/open-click-bot-detect).

import { createHmac } from "node:crypto";
import { constantTimeEqual } from "../access/constant-time-equal.ts";
import { type MessageOutcome, reportOf } from "../campaign/events/outcomes.ts";
import type { Device } from "../campaign/events/traffic.ts";
import { AppError } from "../errors.ts";
import { composeEventId, parseCampaignId, parseClient, parseIp, toIsoTime } from "./event-fields.ts";
import { isJsonObject, type JsonObject, ownProperty, toJsonObject, tryParseJson } from "./json-object.ts";
import type { Provider } from "./provider.ts";

const types = new Map<unknown, "open" | "click">([
  ["opened", "open"],
  ["clicked", "click"],
]);

const outcomes = new Map<unknown, MessageOutcome>([
  ["delivered", "delivered"],
  ["unsubscribed", "unsubscribed"],
  ["complained", "complained"],
]);

const devices = new Map<unknown, Device>([
  ["desktop", "desktop"],
  ["mobile", "mobile"],
  ["tablet", "mobile"],
]);

export const mailgun: Provider = {
  title: "Mailgun",
  secret: {
    isRequired: true,
    description: "the HTTP webhook signing key of the account, shown in Mailgun under API Security",
    format: {
      description:
        "the HTTP webhook signing key that Mailgun shows for the account, of at least 20 characters without spaces",
      isValid: (secret) => /^[!-~]{20,}$/.test(secret),
    },
  },
  maxBodyBytes: 1024 * 1024,
  campaignFieldLocation:
    "a variable of the message (`v:campaign_id`, or `X-Mailgun-Variables`), or its first tag as `tags`",
  /**
   * The signature covers the token, not the event: an attacker who has a token and the webhook URL could send another
   * event with it. Used tokens are not refused, because Mailgun retries a delivery with the same token.
   */
  authenticate({ body, secret }) {
    const { timestamp, token, ...signatures } = signatureIn(body);
    const hasToken = ["string", "number"].includes(typeof timestamp) && typeof token === "string";
    if (hasToken && secret !== undefined) {
      const expected = createHmac("sha256", secret).update(`${timestamp}${token}`).digest("hex");
      // Events of a subaccount are also signed with the key of its parent account.
      for (const signature of [signatures.signature, signatures["parent-signature"]]) {
        if (typeof signature === "string" && constantTimeEqual(signature, expected)) return undefined;
      }
    }
    throw new AppError(
      "unauthorized",
      "The request has no valid Mailgun signature for the secret of this source. Compare the secret with the HTTP webhook signing key of the Mailgun account, and change it with: email-analytics source change --secret. Legacy webhooks, which do not send JSON, are not supported.",
    );
  },
  listEvents(document) {
    const event = ownProperty(toJsonObject(document), "event-data");
    return isJsonObject(event) ? [event] : undefined;
  },
  convertEvent(event, campaignField) {
    const { id, timestamp, recipient, ip } = event;
    const type = types.get(event.event);
    const outcome = outcomeIn(event);
    const base = {
      campaign_id: parseCampaignId(
        ownProperty(toJsonObject(event["user-variables"]), campaignField),
        ownProperty(event, campaignField),
      ),
      // Mailgun documents its ids as unique within a day.
      id: typeof id === "string" && id !== "" ? composeEventId(event.event, id, timestamp) : id,
      recipient,
      at: toIsoTime(timestamp),
    };
    if (outcome) return [{ ...base, ...reportOf(outcome) }];
    if (type === undefined) return [];
    // Only the click of Mailgun's test button has no link.
    if (type === "click" && event.url === undefined) return [];
    return [
      {
        ...base,
        type,
        ip: parseIp(ip),
        ...clientOf(event["client-info"], type),
        ...(type === "click" && { url: event.url }),
      },
    ];
  },
};

/** After a temporary failure Mailgun tries again. A permanent one for another reason than a bounce may be the message's fault. */
function outcomeIn({ event, severity, reason }: JsonObject): MessageOutcome | undefined {
  if (event !== "failed") return outcomes.get(event);
  if (severity !== "permanent") return undefined;
  if (typeof reason === "string" && reason.startsWith("suppress-")) return "suppressed";
  return reason === "bounce" ? "bounced_hard" : "bounced_soft";
}

function signatureIn(body: Buffer): JsonObject {
  return toJsonObject(ownProperty(toJsonObject(tryParseJson(body)), "signature"));
}

/**
 * `bot` is empty for people. Mailgun reports Gmail's image proxy as a bot (mailgun.com/blog/product/bot-detection),
 * although every open in Gmail passes through it; its user agent identifies it as a proxy.
 */
function clientOf(info: unknown, type: "open" | "click") {
  const { bot, "user-agent": userAgent, "device-type": device } = toJsonObject(info);
  const isMachine = bot === true || (typeof bot === "string" && bot !== "");
  return parseClient({ type, userAgent, isMachine, device: devices.get(device) });
}
