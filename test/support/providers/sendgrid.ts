// Webhooks of Twilio SendGrid and their signatures.

import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import {
  appleProxy,
  changeBody,
  changeHeader,
  iPhone,
  json,
  type ProviderExample,
  type SentRequest,
} from "./provider-example.ts";

export const textOfKey = (key: KeyObject) => key.export({ type: "spki", format: "der" }).toString("base64");
const keyPairs = [1, 2].map(() => generateKeyPairSync("ec", { namedCurve: "prime256v1" }));
const [own, other] = keyPairs as [(typeof keyPairs)[0], (typeof keyPairs)[0]];
const secret = textOfKey(own.publicKey);
const otherSecret = textOfKey(other.publicKey);

export const signatureHeader = "x-twilio-email-event-webhook-signature";
export const timestampHeader = "x-twilio-email-event-webhook-timestamp";

/** A request that was signed an hour before it arrives. */
export function signed(body: string, { timestamp = "1781521200", withSecret = secret } = {}): SentRequest {
  const key = withSecret === otherSecret ? other.privateKey : own.privateKey;
  const signature = sign("sha256", Buffer.from(timestamp + body), key).toString("base64");
  return { body, headers: { ...json, [signatureHeader]: signature, [timestampHeader]: timestamp } };
}

/** A batch as SendGrid serializes it: one event per line, and a line break after the last. */
const serialize = (events: unknown) =>
  Array.isArray(events)
    ? `[${events.map((each) => JSON.stringify(each)).join(",\n")}]\r\n`
    : JSON.stringify(events);

/** 2026-06-15T11:05:00Z */
const timestamp = 1_781_521_500;

/** The examples of twilio.com/docs/sendgrid/for-developers/tracking-events/event, with a campaign. */
const base = {
  email: "example@test.com",
  timestamp,
  "smtp-id": "<14c5d75ce93.dfd.64b469@ismtpd-555>",
  category: "cat facts",
  sg_message_id: "14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0",
  campaign_id: "1",
};
const userAgent = "Mozilla/4.0 (compatible; MSIE 6.1; Windows XP; .NET CLR 1.1.4322; .NET CLR 2.0.50727)";
export const open = {
  ...base,
  event: "open",
  sg_event_id: "FOTFFO0ecsBE-zxFXfs6WA==",
  useragent: userAgent,
  ip: "255.255.255.255",
  sg_machine_open: false,
};
const click = {
  ...base,
  event: "click",
  sg_event_id: "kCAi1KttyQdEKHhdC-nuEA==",
  useragent: userAgent,
  ip: "255.255.255.255",
  url: "http://www.sendgrid.com/",
  url_offset: { index: 0, type: "html" },
};
const others = [
  ...["processed", "deferred"].map((event) => ({ ...base, event, sg_event_id: event })),
  { ...click, event: "group_resubscribe", sg_event_id: "group_resubscribe" },
];
const openWith = (given: object) => ({ ...open, ...given });
const clickWith = (given: object) => ({ ...click, ...given });

/** From the tests of SendGrid's libraries for Node.js and Python. */
export const published = [
  {
    key: "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEEDr2LjtURuePQzplybdC+u4CwrqDqBaWjcMMsTbhdbcwHBcepxo7yAQGhHPTnlvFYPAZFceEu/1FwCM/QmGUhA==",
    signature:
      "MEUCIQCtIHJeH93Y+qpYeWrySphQgpNGNr/U+UyUlBkU6n7RAwIgJTz2C+8a8xonZGi6BpSzoQsbVRamr2nlxFDWYNH2j/0=",
    timestamp: "1588788367",
    body: '{"category":"example_payload","event":"test_event","message_id":"message_id"}',
  },
  {
    key: "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE83T4O/n84iotIvIW4mdBgQ/7dAfSmpqIM8kF9mN1flpVKS3GRqe62gw+2fNNRaINXvVpiglSI8eNEc6wEA3F+g==",
    signature:
      "MEUCIGHQVtGj+Y3LkG9fLcxf3qfI10QysgDWmMOVmxG0u6ZUAiEAyBiXDWzM+uOe5W0JuG+luQAbPIqHh89M15TluLtEZtM=",
    timestamp: "1600112502",
    body: '[{"email":"hello@world.com","event":"dropped","reason":"Bounced Address","sg_event_id":"ZHJvcC0xMDk5NDkxOS1MUnpYbF9OSFN0T0doUTRrb2ZTbV9BLTA","sg_message_id":"LRzXl_NHStOGhQ4kofSm_A.filterdrecv-p3mdw1-756b745b58-kmzbl-18-5F5FC76C-9.0","smtp-id":"<LRzXl_NHStOGhQ4kofSm_A@ismtpd0039p1iad1.sendgrid.net>","timestamp":1600112492}]\r\n',
  },
];

export const sendgridExample: ProviderExample = {
  secret,
  otherSecret,
  isBatch: true,
  send: (events, _url, withSecret) =>
    signed(
      typeof events === "string" ? events : serialize(events),
      withSecret === undefined ? {} : { withSecret },
    ),
  open,
  click,
  read: {
    open: { at: "2026-06-15T11:05:00.000Z", ip: "255.255.255.255" },
    click: { at: "2026-06-15T11:05:00.000Z", url: "http://www.sendgrid.com/" },
  },
  later: openWith({ sg_event_id: "another", timestamp: timestamp + 1800 }),
  address: (event, email) => ({ ...event, sg_event_id: email, email }),
  clients: [
    [openWith({ sg_machine_open: true }), "machine"],
    // The field counts only for opens, and only as a boolean.
    [clickWith({ sg_machine_open: true }), "desktop"],
    ...[false, null, "true", 1].map((said) => [openWith({ sg_machine_open: said }), "desktop"] as const),
    [openWith({ useragent: appleProxy }), "machine"],
    [clickWith({ useragent: iPhone }), "mobile"],
    // Invalid evidence is ignored.
    [openWith({ useragent: { name: "Barracuda" }, ip: ["1"] }), "person"],
    [openWith({ useragent: undefined, ip: undefined }), "person"],
    // As in one of SendGrid's examples.
    [openWith({ timestamp: String(timestamp) }), "desktop"],
  ],
  campaigns: [
    ["campaign_id", openWith({ campaign_id: 7 }), 7],
    ["campaign_id", openWith({ campaign_id: " weekly " }), "weekly"],
    ["campaign_id", openWith({ campaign_id: "" }), undefined],
    ["campaign_id", openWith({ campaign_id: { id: 1 } }), undefined],
    ["category", open, "cat facts"],
    ["category", openWith({ category: ["newuser", "transactional"] }), "newuser"],
    ["category", openWith({ category: [] }), undefined],
    ["marketing_campaign_id", openWith({ marketing_campaign_id: 12_345 }), 12_345],
    ["constructor", open, undefined],
    ["__proto__", open, undefined],
  ],
  external: {
    campaignField: "singlesend_id",
    event: openWith({ campaign_id: undefined, singlesend_id: "27a0eb4b-2d56-11eb-9d6e-1e0b1d2bd1d4" }),
    external_id: "27a0eb4b-2d56-11eb-9d6e-1e0b1d2bd1d4",
  },
  ignored: [
    others,
    [openWith({ campaign_id: undefined })],
    [clickWith({ campaign_id: null })],
    [openWith({ event: 7 })],
    [{}],
    [],
  ],
  unreadable: [serialize([open]).slice(0, -20), "not JSON", "null", "7", JSON.stringify(open), "", [null]],
  invalid: [
    [openWith({ timestamp: "soon" }), /^at: "soon" is not an ISO-8601 time/],
    [openWith({ timestamp: { seconds: 1 } }), /^at: {"seconds":1} is not/],
    [openWith({ sg_event_id: undefined }), /^id: is missing/],
    [openWith({ sg_event_id: "" }), /^id: "" is not/],
    [openWith({ sg_event_id: 7 }), /^id: 7 is not/],
    [openWith({ email: null }), /^recipient: is missing/],
    [clickWith({ url: undefined }), /^url: is missing/],
    [clickWith({ url: [] }), /^url: \[\] is not/],
  ],
  forgeries: (right) => [
    ...changeHeader(right, timestampHeader, "1781521201", "timestamp"),
    ...changeHeader(right, signatureHeader, (right.headers[signatureHeader] ?? "").slice(0, -8), "%%%"),
    ...changeBody(right, right.body.trimEnd(), right.body.replace("example@", "forged@")),
  ],
  refusal: /verification key .*source change --secret\.$/,
  missingSecret: /^This source has no secret yet.* verification key .*source change --secret/,
  secretFormat: {
    description: /^the verification key that SendGrid shows/,
    right: [secret, ...published.map(({ key }) => key)],
    wrong: [
      "",
      "secret",
      "SG.abcdefghijklmnopqrstuv",
      secret.slice(0, -8),
      `${secret}\n`,
      ` ${secret}`,
      textOfKey(generateKeyPairSync("ec", { namedCurve: "secp384r1" }).publicKey),
      textOfKey(generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey),
      own.privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"),
      own.publicKey.export({ type: "spki", format: "pem" }).toString(),
    ],
  },
  oddities: ["open", "1781521500", 1e300, -1],
};
