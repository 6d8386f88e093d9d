// Webhooks of Resend and their signatures.

import { createHmac } from "node:crypto";
import {
  appleProxy,
  changeBody,
  changeHeader,
  json,
  type ProviderExample,
  type SentRequest,
  scanner,
  textOf,
} from "./provider-example.ts";

/** The secret in the examples of Standard Webhooks and Svix. */
const key = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const secret = `whsec_${key}`;

/** The example of resend.com/docs/webhooks/emails/opened, with a campaign. */
export const open = {
  type: "email.opened",
  created_at: "2026-06-15T11:05:12.126Z",
  data: {
    broadcast_id: "8b146471-e88e-4322-86af-016cd36fd216",
    created_at: "2026-06-15T10:59:58.894719+00:00",
    email_id: "56761188-7520-42d8-8898-ff6fc54ce618",
    from: "Acme <onboarding@resend.dev>",
    to: ["delivered@resend.dev"],
    subject: "Sending this example",
    template_id: "43f68331-0622-4e15-8202-246a0388854b",
    tags: { category: "confirm_email", campaign_id: "1" },
  },
};

/** The example of resend.com/docs/webhooks/emails/clicked, with a campaign. */
const click = {
  ...open,
  type: "email.clicked",
  data: {
    ...open.data,
    click: {
      ipAddress: "122.115.53.11",
      link: "https://resend.com",
      timestamp: "2026-06-15T11:06:57.163Z",
      userAgent:
        "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.1 Safari/605.1.15",
    },
  },
};

export const openedAs = (data: object, created_at = open.created_at) => ({
  ...open,
  created_at,
  data: { ...open.data, ...data },
});
const clickedAs = (details: object) => ({
  ...click,
  data: { ...click.data, click: { ...click.data.click, ...details } },
});

/** Signs as Resend does, with the system time, which the signature is checked against. */
export function signed(
  body: string,
  { id = "msg_1", lateSeconds = 0, withSecret = secret } = {},
): SentRequest {
  const timestamp = Math.floor(Date.now() / 1000) - lateSeconds;
  const hmac = createHmac("sha256", Buffer.from(withSecret.replace("whsec_", ""), "base64"));
  const signature = hmac.update(`${id}.${timestamp}.`).update(body).digest("base64");
  return {
    body,
    headers: {
      ...json,
      "svix-id": id,
      "svix-timestamp": String(timestamp),
      "svix-signature": `v1,${signature}`,
    },
  };
}

const headers = [{ name: "Reply-To", value: "reply@example.com" }, null, { name: "X-Campaign", value: "7" }];
const namedTags = [
  { name: "category", value: "x" },
  { name: "campaign_id", value: "7" },
];

export const resendExample: ProviderExample = {
  secret,
  otherSecret: "whsec_b3RoZXI=",
  isBatch: false,
  send: (event, _url, withSecret) => signed(textOf(event), withSecret === undefined ? {} : { withSecret }),
  open,
  click,
  read: {
    open: { at: open.created_at, recipient: "delivered@resend.dev" },
    click: { at: click.data.click.timestamp, url: "https://resend.com", ip: "122.115.53.11" },
  },
  later: openedAs({}, "2026-06-15T11:45:00.000Z"),
  address: (event, email) => ({
    ...event,
    data: { ...(event.data as object), email_id: email, to: [email] },
  }),
  distinct: [
    open,
    openedAs({ email_id: "2" }),
    openedAs({ to: ["other@resend.dev"] }),
    openedAs({}, "2026-06-15T11:05:12.127Z"),
    { ...open, type: "email.clicked" },
    click,
    clickedAs({ link: "https://resend.com/docs" }),
    clickedAs({ timestamp: "2026-06-15T11:06:57.164Z" }),
  ],
  clients: [
    [clickedAs({ userAgent: scanner }), "machine"],
    [openedAs({ open: { userAgent: appleProxy, ipAddress: "17.58.0.1" } }), "machine"],
    // Invalid evidence is ignored.
    [openedAs({ open: { userAgent: 7, ipAddress: {} } }), "person"],
    [openedAs({ open: { userAgent: click.data.click.userAgent } }), "desktop"],
  ],
  campaigns: [
    ["campaign_id", openedAs({ tags: { campaign_id: "weekly" } }), "weekly"],
    ["campaign_id", openedAs({ tags: namedTags }), 7],
    ["campaign_id", openedAs({ tags: [null, 7, { name: "campaign_id" }] }), undefined],
    ["campaign_id", openedAs({ tags: { campaign_id: {} } }), undefined],
    ["campaign_id", openedAs({ tags: "campaign_id" }), undefined],
    // Nobody knows which of the recipients opened.
    ["campaign_id", openedAs({ to: ["ann@example.com", "bob@example.com"] }), undefined],
    ["constructor", openedAs({ tags: {} }), undefined],
    ["template_id", openedAs({ tags: {} }), open.data.template_id],
    ["template_id", openedAs({ tags: { template_id: "1" } }), 1],
    ["x-campaign", openedAs({ tags: {}, headers }), 7],
    ["x-campaign", openedAs({ tags: { "x-campaign": "8" }, headers }), 8],
    ["x-campaign", openedAs({ tags: {}, headers: { "x-campaign": "9" } }), undefined],
  ],
  external: { campaignField: "broadcast_id", event: open, external_id: open.data.broadcast_id },
  ignored: [
    { ...open, type: "email.sent" },
    { ...open, type: "contact.created" },
    { ...open, type: undefined },
    openedAs({ tags: { category: "confirm_email" } }),
    openedAs({ tags: undefined }),
    { ...open, data: "email" },
    { ...open, data: undefined },
  ],
  unreadable: [JSON.stringify(open).slice(0, -20), "not JSON", "[]", "null", "7"],
  invalid: [
    [openedAs({}, "yesterday"), /^at: "yesterday" is not an ISO-8601 time/],
    [openedAs({ email_id: undefined }), /^id: is missing/],
    [openedAs({ email_id: "" }), /^id: "" is not text/],
    [openedAs({ to: [] }), /^recipient: is missing/],
    [clickedAs({ link: undefined }), /^url: is missing/],
  ],
  forgeries(right) {
    const { "svix-signature": signature = "", "svix-timestamp": timestamp = "" } = right.headers;
    return [
      ...changeHeader(right, "svix-id", "msg_2"),
      ...changeHeader(right, "svix-timestamp", String(Number(timestamp) - 1), "now"),
      ...changeHeader(
        right,
        "svix-signature",
        signature.slice(0, -8),
        "v1,",
        "v1",
        "%%% ,,, v1,%%%",
        signature.replace("v1,", "v2,"),
      ),
      signed(right.body, { lateSeconds: 310 }),
      // An hour ahead, because it comes nearer while the requests before it are sent.
      signed(right.body, { lateSeconds: -3_600 }),
      ...changeBody(right, right.body.replace("delivered@", "forged@")),
    ];
  },
  refusal: /^The request has no Resend signature .*source change --secret\. Check that the clock/,
  missingSecret: /signing secret .*source change --secret/,
  secretFormat: {
    description: /^the signing secret that Resend shows for the webhook/,
    right: [secret, "whsec_b3RoZXI="],
    wrong: ["", "whsec_", key, `re_${key}`, "whsec_%%%", "whsec_a", `${secret} `, `${secret}\n`],
  },
  oddities: ["<>", "a <b", "2026-06-15T11:05:12.126Z"],
};
