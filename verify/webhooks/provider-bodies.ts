// Generated and signed webhook requests of every provider.

import { createHmac, createPrivateKey, generateKeyPairSync, sign } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ProviderName } from "../../src/providers/providers.ts";

/** An open or click of a recipient. */
export interface Action {
  campaign: number;
  recipient: string;
  type: "open" | "click";
  /** Distinguishes the events of one recipient. */
  number: number;
  /** Milliseconds since 1970. */
  at: number;
}

export interface Sent {
  body: Buffer;
  headers: Record<string, string>;
}

interface ProviderRequests {
  secret?: string;
  /** Whether a request can contain several events. */
  isBatch: boolean;
  /** The JSON of a request; batches also contain an event of another kind. */
  document(actions: readonly Action[]): unknown;
  /** A signed request with this text, which may be invalid JSON. */
  send(text: string, url: string): Sent;
  /** The same request with an invalid signature. Missing if the provider does not sign. */
  forge?(sent: Sent): Sent;
}

const userAgent =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36";
const link = (number: number) => `https://example.com/article-${number % 5}?from=mail`;
const seconds = (at: number) => Math.floor(at / 1000);
const iso = (at: number) => new Date(at).toISOString();
const only = ([action]: readonly Action[]) => action as Action;
const json = (text: string): Sent => ({
  body: Buffer.from(text),
  headers: { "content-type": "application/json" },
});
/** Changes a letter in the middle of a signature. */
const invalidate = (signature: string) => {
  const middle = signature.length >> 1;
  return `${signature.slice(0, middle)}${signature[middle] === "A" ? "B" : "A"}${signature.slice(middle + 1)}`;
};
const withHeader = (name: string) => (sent: Sent) => ({
  ...sent,
  headers: { ...sent.headers, [name]: invalidate(sent.headers[name] ?? "") },
});

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
const mailgunKey = "0123456789abcdef0123456789abcdef";
const mandrillKey = "0123456789abcdefghijkl";
const resendKey = Buffer.alloc(24, 7).toString("base64");
const fixtures = join(import.meta.dirname, "..", "..", "test", "http", "ingest", "webhooks", "fixtures");
const snsKey = createPrivateKey(readFileSync(join(fixtures, "ses-test-key.pem")));
export const snsCertificate = readFileSync(join(fixtures, "ses-test-certificate.pem"));
const snsCertificateUrl = `https://sns.us-east-1.amazonaws.com/SimpleNotificationService-${"0".repeat(32)}.pem`;

export const providerRequests: Record<ProviderName, ProviderRequests> = {
  azure: {
    isBatch: true,
    document: (actions) => [
      { id: "other", eventType: "Microsoft.Communication.EmailDeliveryReportReceived", data: {} },
      ...actions.map(({ campaign, recipient, type, number, at }) => ({
        id: `${recipient} ${number}`,
        subject: "sender/s@example.com/message/00000000-0000-0000-0000-000000000000",
        data: {
          sender: "s@example.com",
          recipient,
          internetMessageId: `<campaign_id.${campaign}.${number}@example.com>`,
          userActionTimeStamp: iso(at),
          engagementContext: type === "click" ? link(number) : "",
          userAgent,
          engagementType: type === "click" ? "click" : "view",
        },
        eventType: "Microsoft.Communication.EmailEngagementTrackingReportReceived",
        dataVersion: "1.0",
        eventTime: iso(at),
      })),
    ],
    send: json,
  },
  brevo: {
    isBatch: true,
    document: (actions) => [
      { event: "delivered", email: "other@example.com", ts_event: 1 },
      ...actions.map(({ campaign, recipient, type, number, at }) => ({
        event: type === "click" ? "click" : "opened",
        email: recipient,
        id: 1,
        "message-id": `<${number}.${recipient}@relay.example.com>`,
        "X-Mailin-custom": JSON.stringify({ campaign_id: String(campaign) }),
        ts_event: seconds(at),
        tags: ["a"],
        link: type === "click" ? link(number) : "",
        user_agent: userAgent,
        sending_ip: "192.0.2.1",
      })),
    ],
    send: json,
  },
  mailgun: {
    secret: mailgunKey,
    isBatch: false,
    document(actions) {
      const { campaign, recipient, type, number, at } = only(actions);
      const token = `token-${recipient}-${number}`;
      const timestamp = String(seconds(at));
      const signature = createHmac("sha256", mailgunKey)
        .update(timestamp + token)
        .digest("hex");
      return {
        signature: { timestamp, token, signature },
        "event-data": {
          event: type === "click" ? "clicked" : "opened",
          id: `id-${recipient}-${number}`,
          timestamp: at / 1000,
          recipient,
          "user-variables": { campaign_id: String(campaign) },
          ip: "192.0.2.1",
          "client-info": { "device-type": "desktop", "user-agent": userAgent, bot: "" },
          ...(type === "click" && { url: link(number) }),
        },
      };
    },
    send: json,
    forge: ({ body, headers }) => ({
      headers,
      body: Buffer.from(
        body.toString("latin1").replace(/"signature":"([0-9a-f]{64})"/, (_all, signature: string) => {
          return `"signature":"${invalidate(signature)}"`;
        }),
        "latin1",
      ),
    }),
  },
  mandrill: {
    secret: mandrillKey,
    isBatch: true,
    document: (actions) => [
      { event: "send", _id: "other", ts: 1, msg: {} },
      ...actions.map(({ campaign, recipient, type, number, at }) => ({
        event: type,
        _id: `${recipient}-${number}`,
        ts: seconds(at),
        ip: "192.0.2.1",
        user_agent: userAgent,
        user_agent_parsed: { mobile: false, type: "Browser" },
        msg: { email: recipient, metadata: { campaign_id: campaign }, tags: ["a"] },
        ...(type === "click" && { url: link(number) }),
      })),
    ],
    send(text, url) {
      const signature = createHmac("sha1", mandrillKey)
        .update(`${url}mandrill_events${text}`)
        .digest("base64");
      return {
        body: Buffer.from(new URLSearchParams({ mandrill_events: text }).toString()),
        headers: {
          "content-type": "application/x-www-form-urlencoded",
          "x-mandrill-signature": signature,
        },
      };
    },
    forge: withHeader("x-mandrill-signature"),
  },
  postmark: {
    isBatch: false,
    document(actions) {
      const { campaign, recipient, type, number, at } = only(actions);
      return {
        RecordType: type === "click" ? "Click" : "Open",
        MessageID: `message-${recipient}-${number}`,
        Recipient: recipient,
        ReceivedAt: iso(at),
        Metadata: { campaign_id: String(campaign) },
        Platform: "Desktop",
        UserAgent: userAgent,
        Geo: { IP: "192.0.2.1" },
        ...(type === "click" && { OriginalLink: link(number) }),
      };
    },
    send: json,
  },
  resend: {
    secret: `whsec_${resendKey}`,
    isBatch: false,
    document(actions) {
      const { campaign, recipient, type, number, at } = only(actions);
      return {
        type: type === "click" ? "email.clicked" : "email.opened",
        created_at: iso(at),
        data: {
          created_at: iso(at),
          email_id: `message-${recipient}-${number}`,
          from: "s@example.com",
          to: [recipient],
          tags: { campaign_id: String(campaign) },
          ...(type === "click" && {
            click: { ipAddress: "192.0.2.1", link: link(number), timestamp: iso(at), userAgent },
          }),
        },
      };
    },
    send(text) {
      const timestamp = seconds(Date.now());
      const hmac = createHmac("sha256", Buffer.from(resendKey, "base64"));
      const signature = hmac.update(`msg_1.${timestamp}.${text}`).digest("base64");
      return {
        body: Buffer.from(text),
        headers: {
          "content-type": "application/json",
          "svix-id": "msg_1",
          "svix-timestamp": String(timestamp),
          "svix-signature": `v1,${signature}`,
        },
      };
    },
    forge: withHeader("svix-signature"),
  },
  sendgrid: {
    secret: publicKey.export({ type: "spki", format: "der" }).toString("base64"),
    isBatch: true,
    document: (actions) => [
      { event: "delivered", email: "other@example.com", timestamp: 1, sg_event_id: "other" },
      ...actions.map(({ campaign, recipient, type, number, at }) => ({
        email: recipient,
        event: type,
        timestamp: seconds(at),
        sg_event_id: `id-${recipient}-${number}`,
        sg_message_id: "message",
        useragent: userAgent,
        ip: "192.0.2.1",
        category: ["a", "b"],
        campaign_id: String(campaign),
        ...(type === "click" && { url: link(number) }),
      })),
    ],
    send(text) {
      const timestamp = String(seconds(Date.now()));
      const signature = sign("sha256", Buffer.from(timestamp + text), privateKey).toString("base64");
      return {
        body: Buffer.from(text),
        headers: {
          "content-type": "application/json",
          "x-twilio-email-event-webhook-signature": signature,
          "x-twilio-email-event-webhook-timestamp": timestamp,
        },
      };
    },
    forge: withHeader("x-twilio-email-event-webhook-signature"),
  },
  ses: {
    isBatch: false,
    document(actions) {
      const { campaign, recipient, type, number, at } = only(actions);
      const activity = { ipAddress: "192.0.2.1", timestamp: iso(at), userAgent };
      return {
        eventType: type === "click" ? "Click" : "Open",
        mail: {
          messageId: `message-${recipient}-${number}`,
          destination: [recipient],
          tags: { campaign_id: [String(campaign)] },
        },
        ...(type === "click" ? { click: { ...activity, link: link(number) } } : { open: activity }),
      };
    },
    send(text) {
      const message: Record<string, string> = {
        Message: text.toWellFormed(),
        MessageId: "00000000-0000-0000-0000-000000000000",
        Timestamp: iso(Date.now()),
        TopicArn: "arn:aws:sns:us-east-1:123456789012:events",
        Type: "Notification",
      };
      const given = Object.entries(message)
        .map(([name, value]) => `${name}\n${value}\n`)
        .join("");
      const Signature = sign("sha256", Buffer.from(given), snsKey).toString("base64");
      return {
        body: Buffer.from(
          JSON.stringify({ ...message, SignatureVersion: "2", Signature, SigningCertURL: snsCertificateUrl }),
        ),
        headers: { "content-type": "text/plain; charset=UTF-8" },
      };
    },
    forge: ({ body, headers }) => ({
      headers,
      body: Buffer.from(
        body.toString().replace(/"Signature":"([^"]+)"/, (_all, signature: string) => {
          return `"Signature":"${invalidate(signature)}"`;
        }),
      ),
    }),
  },
  sparkpost: {
    isBatch: true,
    document: (actions) => [
      { msys: { message_event: { type: "delivery", event_id: "other" } } },
      ...actions.map(({ campaign, recipient, type, number, at }) => ({
        msys: {
          track_event: {
            type: type === "click" ? "click" : "initial_open",
            event_id: `${recipient}-${number}`,
            timestamp: String(seconds(at)),
            rcpt_to: recipient,
            rcpt_meta: { campaign_id: String(campaign) },
            user_agent: userAgent,
            ip_address: "192.0.2.1",
            ...(type === "click" && { target_link_url: link(number) }),
          },
        },
      })),
    ],
    send: json,
  },
};
