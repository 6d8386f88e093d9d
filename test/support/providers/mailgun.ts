// Webhooks of Mailgun and their signatures.

import { createHmac } from "node:crypto";
import fc from "fast-check";
import {
  appleProxy,
  googleProxy,
  iPhone,
  json,
  type ProviderExample,
  type SentRequest,
  scanner,
} from "./provider-example.ts";

const secret = "key-55c5c5c5c55f55ca5cd5f55d5c555c55";
const token = "a8ce0edb2dd8301dee6c2405235584e45aa91d1e9f979f3de0";
const sentAt = "1781521501";

export const signatureOf = (timestamp: string, key = secret, withToken = token) =>
  createHmac("sha256", key).update(`${timestamp}${withToken}`).digest("hex");

/** 2026-06-15T11:05:00.126953Z */
const timestamp = 1_781_521_500.126953;

/** The test event of Mailgun, with a campaign and another time. */
export const open = {
  id: "Ase7i2zsRYeDXztHGENqRA",
  timestamp,
  event: "opened",
  message: { headers: { "message-id": "20130503182626.18666.16540@mail.example.com" } },
  recipient: "alice@example.com",
  ip: "50.56.129.169",
  geolocation: { country: "US", region: "CA", city: "San Francisco" },
  "client-info": {
    "device-type": "desktop",
    "user-agent":
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.31 (KHTML, like Gecko) Chrome/26.0.1410.43 Safari/537.31",
    bot: "",
  },
  tags: ["my_tag_1", "my_tag_2"],
  "user-variables": { my_var_1: "Mailgun Variable #1", "my-var-2": "awesome", campaign_id: "1" },
};
const click = { ...open, event: "clicked", url: "http://google.com" };

/** The example of documentation.mailgun.com/docs/mailgun/user-manual/tracking-messages/open-click-bot-detect. */
const botInfo = {
  ...{ "client-name": "unknown", "user-agent": "Mozilla/5.0", "device-type": "unknown", bot: "apple" },
};
const gmailPrefetch =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Mozilla/5.0";
const yahooProxy = "YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html";

const openWith = (given: object) => ({ ...open, ...given });
const openBy = (info: object) => openWith({ "client-info": { ...open["client-info"], ...info } });
const clickBy = (info: object) => ({ ...click, "client-info": { ...open["client-info"], ...info } });
const variables = (given: unknown) => openWith({ "user-variables": given });

/** A request with this signature, or with any other value in its place. */
export const signedWith = (event: unknown, signature: unknown): SentRequest => ({
  body: JSON.stringify({ signature, "event-data": event }),
  headers: json,
});

export const mailgunExample: ProviderExample = {
  secret,
  otherSecret: "key-of-another-account",
  isBatch: false,
  send: (event, _url, key = secret) =>
    signedWith(event, { timestamp: sentAt, token, signature: signatureOf(sentAt, key) }),
  open,
  click,
  read: {
    open: { at: "2026-06-15T11:05:00.126Z", device: "desktop" },
    click: { at: "2026-06-15T11:05:00.126Z", url: "http://google.com", ip: open.ip },
  },
  // Ids are unique only within a day.
  later: openWith({ timestamp: timestamp + 1800 }),
  address: (event, recipient) => ({ ...event, id: recipient, recipient }),
  clients: [
    [openBy(botInfo), "machine"],
    [openBy({ bot: "apple" }), "machine"],
    [openBy({ bot: "generic" }), "machine"],
    [openBy({ bot: "another" }), "machine"],
    [openBy({ bot: true }), "machine"],
    [openBy({ bot: "gmail", "user-agent": gmailPrefetch }), "machine"],
    // Without a bot the user agent decides.
    [openBy({ bot: "", "user-agent": appleProxy }), "machine"],
    [openBy({ bot: "", "user-agent": gmailPrefetch }), "machine"],
    // A person opens through a proxy.
    [openBy({ bot: "gmail", "user-agent": googleProxy }), "person"],
    [openBy({ bot: "generic", "user-agent": yahooProxy }), "person"],
    [openBy({ bot: "", "user-agent": googleProxy }), "person"],
    // Nobody clicks through one.
    [clickBy({ bot: "generic" }), "machine"],
    [clickBy({ bot: "gmail" }), "machine"],
    [clickBy({ bot: "gmail", "user-agent": googleProxy }), "machine"],
    [clickBy({ bot: "apple" }), "machine"],
    [clickBy({ bot: "", "user-agent": scanner }), "machine"],
    [clickBy({ bot: "" }), "desktop"],
    // Invalid evidence is ignored.
    [openBy({ bot: null }), "desktop"],
    [openBy({ bot: {}, "user-agent": 7, "device-type": [] }), "person"],
    [openWith({ "client-info": undefined, ip: 7 }), "person"],
    [openBy({ "device-type": "tablet", "user-agent": "" }), "mobile"],
    [openBy({ "device-type": "mobile" }), "mobile"],
    [openBy({ "device-type": "unknown", "user-agent": iPhone }), "mobile"],
    [openBy({ "device-type": "other", "user-agent": "" }), "person"],
    [openBy({ "device-type": "desktop", "user-agent": googleProxy, bot: "gmail" }), "person"],
    [openBy({ "device-type": "desktop", "user-agent": "" }), "desktop"],
  ],
  campaigns: [
    ["campaign_id", variables({ campaign_id: 7 }), 7],
    ["campaign_id", variables({ campaign_id: "weekly" }), "weekly"],
    ["campaign_id", variables([]), undefined],
    ["campaign_id", variables('{"campaign_id":"1"}'), undefined],
    ["my_var_1", open, "Mailgun Variable #1"],
    ["tags", open, "my_tag_1"],
    ["tags", openWith({ tags: [] }), undefined],
    ["tags", variables({ tags: "variable" }), "variable"],
    ["constructor", open, undefined],
    ["__proto__", open, undefined],
  ],
  external: { campaignField: "tags", event: variables([]), external_id: "my_tag_1" },
  ignored: [
    ...["accepted", "failed", "stored", 7, undefined].map((event) => openWith({ event })),
    variables({ my_var_1: "x" }),
    variables([]),
    { ...click, "user-variables": undefined },
    openWith({ event: "clicked" }),
    {},
  ],
  unreadable: [undefined, null, 7, "opened", [open]],
  invalid: [
    [openWith({ timestamp: "yesterday" }), /^at: "yesterday" is not an ISO-8601 time/],
    [openWith({ timestamp: null }), /^at: is missing/],
    [openWith({ id: undefined }), /^id: is missing/],
    [openWith({ id: "" }), /^id: "" is not/],
    [openWith({ id: 7 }), /^id: 7 is not/],
    [openWith({ recipient: [] }), /^recipient: \[\] is not/],
    [{ ...click, url: null }, /^url: is missing/],
  ],
  forgeries(right) {
    const signature = signatureOf(sentAt);
    const whole = { timestamp: sentAt, token, signature };
    return [
      ...[
        undefined,
        null,
        {},
        signature,
        { token, signature },
        { timestamp: sentAt, signature },
        { timestamp: sentAt, token },
        { ...whole, timestamp: [sentAt] },
        { ...whole, token: [token] },
        { ...whole, signature: [signature] },
        { ...whole, signature: "" },
        { ...whole, timestamp: "1781521502" },
        { ...whole, timestamp: null, signature: signatureOf("null") },
        { ...whole, timestamp: undefined, signature: signatureOf("undefined") },
      ].map((each) => signedWith(open, each)),
      ...[
        JSON.stringify(open),
        right.body.slice(0, -1),
        `token=${token}&timestamp=${sentAt}&signature=${signature}&event=opened`,
        "",
        "null",
        "[]",
      ].map((body) => ({ ...right, body })),
    ];
  },
  refusal: /HTTP webhook signing key .*source change --secret/,
  missingSecret: /^This source has no secret yet.* HTTP webhook signing key .*source change --secret/,
  secretFormat: {
    description: /^the HTTP webhook signing key that Mailgun shows/,
    right: [secret, "5f0c6e1d2b3a49788796a5b4c3d2e1f0"],
    wrong: ["", "key", `${secret}\n`, `${secret} `, "the signing key of Mailgun", "ä".repeat(32)],
  },
  bodies: fc
    .dictionary(
      fc.constantFrom("timestamp", "token", "signature", "parent-signature"),
      fc.oneof(fc.jsonValue(), fc.constantFrom(token, sentAt, Number(sentAt))),
    )
    .map((signature) => signedWith(open, signature).body),
  oddities: ["gmail", true, 1e300, -1, "1781521500.5"],
};
