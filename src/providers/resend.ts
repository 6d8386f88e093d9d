// Resend: one event per request, signed as Standard Webhooks prescribes (resend.com/docs/webhooks/emails/opened, …/clicked,
// resend.com/docs/webhooks/verify-webhooks-requests, docs.svix.com/receiving/verifying-payloads/how-manual).

import type { IncomingHttpHeaders } from "node:http";
import { Webhook as StandardWebhook } from "standardwebhooks";
import { type MessageOutcome, reportOf } from "../campaign/events/outcomes.ts";
import { AppError } from "../errors.ts";
import { composeEventId, headerOf, parseCampaignId, parseIp, parseUserAgent } from "./event-fields.ts";
import { ownProperty, toJsonObject } from "./json-object.ts";
import type { Provider } from "./provider.ts";
import { isSuppressed } from "./ses.ts";

const outcomes = new Map<unknown, MessageOutcome>([
  ["email.delivered", "delivered"],
  ["email.bounced", "bounced_soft"],
  ["email.suppressed", "suppressed"],
  ["email.failed", "suppressed"],
  ["email.complained", "complained"],
]);

export const resend: Provider = {
  title: "Resend",
  secret: {
    isRequired: true,
    description: "the signing secret that Resend shows for the webhook, `whsec_…`",
    format: {
      description:
        "the signing secret that Resend shows for the webhook, such as whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
      isValid: isSigningSecret,
    },
  },
  maxBodyBytes: 1024 * 1024,
  campaignFieldLocation:
    "a tag or header of the message, or any field of Resend's events, such as `broadcast_id` for a broadcast or `template_id`",
  authenticate({ headers, body, secret = "" }) {
    try {
      // Do not parse here: a signed body that is unreadable is quarantined, not refused.
      new StandardWebhook(secret).verify(body, signatureHeaders(headers), { jsonParse: false });
    } catch (error) {
      throw new AppError(
        "unauthorized",
        `The request has no Resend signature from the last five minutes for the secret of this source: ${(error as Error).message}. Compare the secret with the one that Resend shows for the webhook, and change it with: email-analytics source change --secret. Check that the clock of this server is right.`,
      );
    }
    return undefined;
  },
  listEvents: (document) => [document],
  convertEvent(event, campaignField) {
    const { type: kind, created_at: createdAt } = event;
    const outcome = outcomes.get(kind);
    if (!outcome && kind !== "email.opened" && kind !== "email.clicked") return [];
    const data = toJsonObject(event.data);
    // The client of an open is undocumented, but may be there as it is for a click.
    const { timestamp, link, userAgent, ipAddress } = toJsonObject(
      kind === "email.clicked" ? data.click : data.open,
    );
    const { email_id: message } = data;
    const recipient = recipientOf(data.to);
    const base = {
      // With several recipients Resend does not say who opened or clicked, so the event is ignored.
      campaign_id:
        Array.isArray(data.to) && data.to.length > 1
          ? undefined
          : parseCampaignId(
              tagOf(data.tags, campaignField),
              // Undocumented, but real events have them (github.com/anymail/django-anymail, tests/test_resend_webhooks.py).
              headerOf(data.headers, campaignField),
              ownProperty(data, campaignField),
            ),
      // Resend's own id (`svix-id`) is only in the headers, so the id is a hash of the event.
      id:
        typeof message === "string" && message !== ""
          ? composeEventId(kind, message, recipient, createdAt, timestamp, link)
          : message,
      recipient,
      at: timestamp ?? createdAt,
    };
    if (outcome) return [{ ...base, ...reportOf(outcomeOf(data.bounce) ?? outcome) }];
    const read = { ...base, user_agent: parseUserAgent(userAgent), ip: parseIp(ipAddress) };
    return [kind === "email.clicked" ? { ...read, type: "click", url: link } : { ...read, type: "open" }];
  },
};

/** The same types as those of Amazon SES, which Resend sends with. Undefined for a soft bounce, or none. */
function outcomeOf(bounce: unknown): MessageOutcome | undefined {
  const { type, subType } = toJsonObject(bounce);
  if (type !== "Permanent") return undefined;
  return isSuppressed(subType) ? "suppressed" : "bounced_hard";
}

function isSigningSecret(secret: string): boolean {
  if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret)) return false;
  try {
    return Boolean(new StandardWebhook(secret));
  } catch {
    return false;
  }
}

/** The headers under their standard names. Resend sends those of Svix, which signs its webhooks. */
function signatureHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const entries = ["id", "timestamp", "signature"].map((name) => {
    const value = headers[`svix-${name}`] ?? headers[`webhook-${name}`];
    return [`webhook-${name}`, typeof value === "string" ? value : ""];
  });
  return Object.fromEntries(entries);
}

/** The email address, without a display name around it. */
function recipientOf(to: unknown): unknown {
  const first = Array.isArray(to) ? to[0] : to;
  return typeof first === "string" ? (/<([^<>]+)>\s*$/.exec(first)?.[1] ?? first) : first;
}

/** Events contain tags as an object; the API accepts them as a list of names and values. */
function tagOf(tags: unknown, name: string): unknown {
  if (!Array.isArray(tags)) return ownProperty(toJsonObject(tags), name);
  return tags.map(toJsonObject).find((tag) => tag.name === name)?.value;
}
