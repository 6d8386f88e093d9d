// Resend: one event a request, signed after Standard Webhooks (resend.com/docs/webhooks/emails/opened, …/clicked,
// resend.com/docs/webhooks/verify-webhooks-requests, docs.svix.com/receiving/verifying-payloads/how-manual).

import type { IncomingHttpHeaders } from "node:http";
import { Webhook as SignedWebhook } from "standardwebhooks";
import { AppError } from "../errors.ts";
import { campaignOf, composedId, fieldOf, fieldsOf, ipOf, userAgentOf } from "./fields.ts";
import type { Provider } from "./provider.ts";

export const resend: Provider = {
  title: "Resend",
  secret: {
    isNeeded: true,
    meaning: "the signing secret that Resend shows for the webhook, `whsec_…`",
    faultOf: (secret) =>
      isSigningSecret(secret)
        ? undefined
        : "the signing secret that Resend shows for the webhook, such as whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  },
  bodyBytesMax: 1024 * 1024,
  carrier:
    "a tag of the message, or any field of Resend's, such as `broadcast_id` of a broadcast or `template_id`",
  admit({ headers, body, secret = "" }) {
    try {
      // What is signed may still be unreadable: that is set aside, not refused.
      new SignedWebhook(secret).verify(body, signatureOf(headers), { jsonParse: false });
    } catch (error) {
      throw new AppError(
        "unauthorized",
        `The request is not one that Resend has signed with the secret of this source in the last five minutes: ${(error as Error).message}. Compare the secret with the one that Resend shows for the webhook, and the clock with the present; set the secret with: source change --secret.`,
      );
    }
    return undefined;
  },
  listOf: (document) => [document],
  read(given, campaignField) {
    const { type: kind, created_at: createdAt } = given;
    if (kind !== "email.opened" && kind !== "email.clicked") return [];
    const data = fieldsOf(given.data);
    // What an open came from is not documented, but may be there, as of a click.
    const { timestamp, link, userAgent, ipAddress } = fieldsOf(
      kind === "email.clicked" ? data.click : data.open,
    );
    const { email_id: message } = data;
    const recipient = recipientOf(data.to);
    const base = {
      // Who of several opened or clicked is nowhere told: what can be said of nobody is no event of the campaign.
      campaign_id:
        Array.isArray(data.to) && data.to.length > 1
          ? undefined
          : campaignOf(tagOf(data.tags, campaignField), fieldOf(data, campaignField)),
      // Resend's own id names a request (`svix-id`) and stands in its head only: what it tells is the event.
      id:
        typeof message === "string" && message !== ""
          ? composedId(kind, message, recipient, createdAt, timestamp, link)
          : message,
      recipient,
      at: timestamp ?? createdAt,
      user_agent: userAgentOf(userAgent),
      ip: ipOf(ipAddress),
    };
    return [kind === "email.clicked" ? { ...base, type: "click", url: link } : { ...base, type: "open" }];
  },
};

function isSigningSecret(secret: string): boolean {
  if (!/^whsec_[A-Za-z0-9+/]+={0,2}$/.test(secret)) return false;
  try {
    return Boolean(new SignedWebhook(secret));
  } catch {
    return false;
  }
}

/** Resend sends the names of Svix, which signs for it; those of the standard mean the same. */
function signatureOf(headers: IncomingHttpHeaders): Record<string, string> {
  const found = ["id", "timestamp", "signature"].map((name) => {
    const value = headers[`svix-${name}`] ?? headers[`webhook-${name}`];
    return [`webhook-${name}`, typeof value === "string" ? value : ""];
  });
  return Object.fromEntries(found);
}

/** Names may stand around addresses. */
function recipientOf(to: unknown): unknown {
  const first = Array.isArray(to) ? to[0] : to;
  return typeof first === "string" ? (/<([^<>]+)>\s*$/.exec(first)?.[1] ?? first) : first;
}

/** Tags come as an object; they are given to Resend as a list of names and values. */
function tagOf(tags: unknown, name: string): unknown {
  if (!Array.isArray(tags)) return fieldOf(fieldsOf(tags), name);
  return tags.map(fieldsOf).find((tag) => tag.name === name)?.value;
}
