// Webhooks of Twilio SendGrid and their signatures.

import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import test from "node:test";
import fc from "fast-check";
import { AppError } from "../../../../src/errors.ts";
import { sendgrid } from "../../../../src/providers/sendgrid.ts";
import { randomCases } from "../../../support/random-cases.ts";
import { accepted, allQuarantined, summarizeQuarantined } from "../../../support/sending.ts";
import { countsOfCampaign, type SourceWorld, serveSource } from "../../../support/webhooks.ts";

const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
const textOf = (key: KeyObject) => key.export({ type: "spki", format: "der" }).toString("base64");
const secret = textOf(publicKey);

const signatureHeader = "x-twilio-email-event-webhook-signature";
const timestampHeader = "x-twilio-email-event-webhook-timestamp";

/** The headers of a request that was signed an hour before it arrives. */
function signed(body: string, { timestamp = "1781521200", key = privateKey } = {}): Record<string, string> {
  const signature = sign("sha256", Buffer.from(timestamp + body), key).toString("base64");
  return { [signatureHeader]: signature, [timestampHeader]: timestamp };
}

/** 2026-06-15T11:05:00Z */
const timestamp = 1_781_521_500;

/** The examples of twilio.com/docs/sendgrid/for-developers/tracking-events/event, with a campaign. */
const base = {
  email: "example@test.com",
  timestamp,
  "smtp-id": "<14c5d75ce93.dfd.64b469@ismtpd-555>",
  category: "cat facts" as unknown,
  sg_message_id: "14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0",
  campaign_id: "1" as unknown,
};
const userAgent = "Mozilla/4.0 (compatible; MSIE 6.1; Windows XP; .NET CLR 1.1.4322; .NET CLR 2.0.50727)";
const open = {
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
  { ...base, event: "processed", sg_event_id: "rbtnWrG1DVDGGGFHFyun0A==", pool: { name: "new", id: 210 } },
  { ...base, event: "deferred", sg_event_id: "t7LEShmowp86DTdUW8M-GQ==", attempt: "5" },
  { ...base, event: "delivered", sg_event_id: "rWVYmVk90MjZJ9iohOBa3w==", response: "250 OK" },
  { ...base, event: "bounce", sg_event_id: "6g4ZI7SA-xmRDv57GoPIPw==", type: "bounce" },
  { ...base, event: "dropped", sg_event_id: "zmzJhfJgAfUSOW80yEbPyw==", reason: "Bounced Address" },
  { ...base, event: "spamreport", sg_event_id: "37nvH5QBz858KGVYCM4uOA==" },
  { ...base, event: "unsubscribe", sg_event_id: "zz_BjPgU_5pS-J8vlfB1sg==" },
  { ...click, event: "group_unsubscribe", sg_event_id: "ahSCB7xYcXFb-hEaawsPRw==", asm_group_id: 10 },
  { ...click, event: "group_resubscribe", sg_event_id: "w_u0vJhLT-OFfprar5N93g==", asm_group_id: 10 },
];

let count = 0;

/** The event with a new id and recipient; `given` overrides its fields. */
function again(event: object, given: object = {}): Record<string, unknown> {
  count += 1;
  return { ...event, sg_event_id: `e-${count}`, email: `r-${count}@example.com`, ...given };
}

/** A batch as SendGrid serializes and signs it: one event per line, and a line break after the last. */
const serialize = (events: readonly unknown[]) =>
  `[${events.map((each) => JSON.stringify(each)).join(",\n")}]\r\n`;

const deliver = ({ deliver }: SourceWorld, body: readonly unknown[] | string) => {
  const text = typeof body === "string" ? body : serialize(body);
  return deliver(text, signed(text));
};

const authenticate = (body: string | Uint8Array, headers: Record<string, unknown>, key: string | undefined) =>
  sendgrid.authenticate({
    headers: headers as Record<string, string>,
    body: Buffer.from(body),
    url: "",
    secret: key,
    fetch: () => Promise.reject(new Error("unexpected request")),
  });

const isUnauthorized = (error: unknown) => error instanceof AppError && error.code === "unauthorized";

test("SendGrid: counts the opens and clicks of a batch and ignores other event types", async (t) => {
  const source = await serveSource(t, "sendgrid", { secret });
  const answer = await deliver(source, [...others.slice(0, 4), open, click, ...others.slice(4)]);
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, accepted(2));
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 1, 0]);
  assert.deepEqual(await summarizeQuarantined(source), []);
});

test("SendGrid: counts a repeated batch once, and an event once that is twice in a batch", async (t) => {
  const source = await serveSource(t, "sendgrid", { secret });
  await deliver(source, [open, click, open]);
  for (const batch of [
    [open, click],
    [click, open],
  ]) {
    assert.deepEqual((await deliver(source, batch)).body, { ...accepted(0), repeated: 2 });
  }
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 1, 0]);
  await deliver(source, [{ ...open, sg_event_id: "another", timestamp: timestamp + 1800 }]);
  assert.deepEqual(await countsOfCampaign(source), [1, 1, 1, 0]);
});

test("SendGrid: does not count a machine open of Apple Mail Privacy Protection", async (t) => {
  const source = await serveSource(t, "sendgrid", { secret });
  await deliver(source, [again(open, { sg_machine_open: true })]);
  assert.deepEqual(await countsOfCampaign(source), [0, 0, 0, 0]);
  // The field counts only for opens, and only as a boolean.
  await deliver(source, [again(click, { sg_machine_open: true })]);
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 1, 0]);
  await deliver(
    source,
    [false, null, "true", 1].map((said) => again(open, { sg_machine_open: said })),
  );
  assert.deepEqual(await countsOfCampaign(source), [5, 0, 1, 0]);
});

test("SendGrid: distinguishes proxies, prefetches, scanners and devices by the user agent", async (t) => {
  const source = await serveSource(t, "sendgrid", { secret });
  const from = (event: object, useragent: unknown) => again(event, { useragent });
  await deliver(source, [
    from(open, "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)"),
    from(open, "Mozilla/5.0"),
    from(click, "Barracuda Sentinel (EE)"),
  ]);
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 0, 0]);
  await deliver(source, [
    from(open, "Mozilla/5.0 (iPhone; CPU iPhone OS 7_1_2 like Mac OS X) AppleWebKit/537.51.2 Mobile/11D257"),
    from(open, userAgent),
    // Invalid evidence is ignored.
    again(open, { useragent: { name: "Barracuda" }, ip: ["1"] }),
    again(open, { useragent: undefined, ip: undefined }),
  ]);
  assert.deepEqual(await countsOfCampaign(source), [5, 0, 0, 0]);
  assert.deepEqual(await source.numbers("mobile_open_rate", "desktop_open_rate"), [50, 50]);
});

test("SendGrid: reads the campaign from a custom argument, a category or the name of a Single Send", async (t) => {
  const campaignOf = (given: object, field: string) =>
    sendgrid.convertEvent({ ...open, ...given }, field)[0]?.campaign_id;
  for (const [field, given, expected] of [
    ["campaign_id", { campaign_id: 7 }, 7],
    ["campaign_id", { campaign_id: " weekly " }, "weekly"],
    ["campaign_id", { campaign_id: "" }, undefined],
    ["campaign_id", { campaign_id: { id: 1 } }, undefined],
    ["category", {}, "cat facts"],
    ["category", { category: ["newuser", "transactional"] }, "newuser"],
    ["category", { category: [] }, undefined],
    ["marketing_campaign_id", { marketing_campaign_id: 12_345 }, 12_345],
    ["constructor", {}, undefined],
    ["__proto__", {}, undefined],
  ] as const) {
    assert.equal(campaignOf(given, field), expected, JSON.stringify([field, given]));
  }
  const singleSend = "27a0eb4b-2d56-11eb-9d6e-1e0b1d2bd1d4";
  const source = await serveSource(t, "sendgrid", {
    secret,
    campaignField: "singlesend_id",
    register: { external_id: singleSend },
  });
  const sent = await deliver(source, [{ ...open, campaign_id: undefined, singlesend_id: singleSend }]);
  assert.deepEqual(sent.body, accepted(1));
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 0, 0]);
});

/** From the tests of SendGrid's libraries for Node.js and Python. */
const published = [
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

test("SendGrid: accepts published signatures and refuses every change of them", () => {
  const [one, other] = published;
  assert.ok(one && other);
  for (const { key, signature, timestamp, body } of published) {
    const headers = { [signatureHeader]: signature, [timestampHeader]: timestamp };
    assert.equal(authenticate(body, headers, key), undefined);
    const changes: [string, object, string | undefined][] = [
      ["payload", {}, key],
      [body.trimEnd() === body ? `${body}\n` : body.trimEnd(), {}, key],
      [body, { [timestampHeader]: "timestamp" }, key],
      [body, { [timestampHeader]: `${timestamp} ` }, key],
      [body, { [signatureHeader]: signature.replace("ME", "MF") }, key],
      // A signature of zeros.
      [body, { [signatureHeader]: "MAYCAQACAQA=" }, key],
      [body, {}, key === one.key ? other.key : one.key],
      [body, {}, secret],
      [body, {}, undefined],
    ];
    for (const [text, changed, withKey] of changes) {
      assert.throws(() => authenticate(text, { ...headers, ...changed }, withKey), isUnauthorized);
    }
  }
});

test("SendGrid: refuses a request without a valid signature and counts nothing", async (t) => {
  const source = await serveSource(t, "sendgrid", { secret });
  const body = serialize([open, click]);
  const right = signed(body);
  const { [signatureHeader]: signature = "", [timestampHeader]: at = "" } = right;
  const stranger = generateKeyPairSync("ec", { namedCurve: "prime256v1" }).privateKey;
  const wrong: [string, Record<string, string>][] = [
    [body, {}],
    [body, { [signatureHeader]: signature }],
    [body, { [timestampHeader]: at }],
    [body, signed(body, { key: stranger })],
    [body, { ...right, [timestampHeader]: "1781521201" }],
    [body, { ...right, [signatureHeader]: signature.slice(0, -8) }],
    [body, { ...right, [signatureHeader]: "" }],
    [body, { ...right, [signatureHeader]: "%%%" }],
    [body.slice(0, -1), right],
    [body.replace("example@", "forged@"), right],
    [`${body} `, right],
    ["", right],
  ];
  for (const [sent, headers] of wrong) {
    const answer = await source.deliver(sent, headers);
    assert.deepEqual([answer.status, answer.body.error], [401, "unauthorized"], JSON.stringify(headers));
    assert.match(answer.body.error_message, /verification key .*source change --secret\.$/);
  }
  assert.deepEqual(await summarizeQuarantined(source), []);
  assert.deepEqual(await countsOfCampaign(source), [0, 0, 0, 0]);
  assert.equal((await source.deliver(body, right)).status, 200);
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 1, 0]);
});

test("SendGrid: accepts a batch that arrives a day late", async (t) => {
  const source = await serveSource(t, "sendgrid", { secret });
  const body = serialize([open]);
  const late = await source.deliver(body, signed(body, { timestamp: "1781434800" }));
  assert.deepEqual(late.body, accepted(1));
});

test("SendGrid: refuses every request for a source without a secret", async (t) => {
  const source = await serveSource(t, "sendgrid");
  const answer = await deliver(source, [open]);
  assert.equal(answer.status, 401);
  assert.match(
    answer.body.error_message,
    /^This source has no secret yet.* verification key .*source change --secret/,
  );
});

test("SendGrid: accepts only secrets with the format of a verification key", () => {
  const { format } = sendgrid.secret;
  assert.match(format?.description ?? "", /^the verification key that SendGrid shows/);
  for (const right of [secret, ...published.map(({ key }) => key)])
    assert.equal(format?.isValid(right), true);
  const other = generateKeyPairSync("ec", { namedCurve: "secp384r1" }).publicKey;
  const rsa = generateKeyPairSync("rsa", { modulusLength: 1024 }).publicKey;
  for (const wrong of [
    "",
    "secret",
    "SG.abcdefghijklmnopqrstuv",
    secret.slice(0, -8),
    `${secret}\n`,
    ` ${secret}`,
    textOf(other),
    textOf(rsa),
    privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"),
    publicKey.export({ type: "spki", format: "pem" }).toString(),
  ]) {
    assert.equal(format?.isValid(wrong), false, wrong);
  }
});

test("SendGrid: answers any invalid header, body or secret with unauthorized, never with another error", () => {
  const header = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(fc.string()),
    fc.uint8Array().map((bytes) => Buffer.from(bytes).toString("base64")),
    fc.constant("MAYCAQACAQA="),
  );
  const headers = fc.dictionary(fc.constantFrom(signatureHeader, timestampHeader), header);
  const secrets = fc.oneof(fc.string(), fc.constant(secret), fc.constant(undefined), fc.base64String());
  fc.assert(
    fc.property(fc.uint8Array(), headers, secrets, (body, given, withSecret) => {
      assert.throws(() => authenticate(body, given, withSecret), isUnauthorized);
    }),
  );
});

test("SendGrid: acknowledges and ignores other mail of the account", async (t) => {
  const source = await serveSource(t, "sendgrid", { secret });
  const { campaign_id: _, ...without } = open;
  const answer = await deliver(source, [without, { ...click, campaign_id: null }, { ...open, event: 7 }, {}]);
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, accepted(0));
  assert.deepEqual((await deliver(source, [])).body, accepted(0));
  assert.deepEqual(await summarizeQuarantined(source), []);
});

test("SendGrid: quarantines signed but unreadable events and counts the rest of the batch", async (t) => {
  const source = await serveSource(t, "sendgrid", { secret });
  for (const body of [serialize([open]).slice(0, -20), "not JSON", "null", "7", JSON.stringify(open), ""]) {
    const answer = await deliver(source, body);
    assert.deepEqual([answer.status, answer.body.quarantined], [200, 1], body);
  }
  assert.deepEqual(await countsOfCampaign(source), [0, 0, 0, 0]);
  const answer = await deliver(source, [
    null,
    again(open, { timestamp: "soon" }),
    again(open, { timestamp: { seconds: 1 } }),
    again(open, { sg_event_id: undefined }),
    again(open, { sg_event_id: "" }),
    again(open, { sg_event_id: 7 }),
    again(open, { email: null }),
    again(click, { url: undefined }),
    again(click, { url: [] }),
  ]);
  assert.deepEqual(
    answer.body,
    allQuarantined(
      "unreadable",
      answer.body.problems.map(({ message }) => message),
    ),
  );
  const messages = [
    /^is not a webhook of Twilio SendGrid: an event has to be an object$/,
    /^at: "soon" is not an ISO-8601 time/,
    /^at: {"seconds":1} is not/,
    /^id: is missing/,
    /^id: "" is not/,
    /^id: 7 is not/,
    /^recipient: is missing/,
    /^url: is missing/,
    /^url: \[\] is not/,
  ];
  assert.equal(answer.body.problems.length, messages.length);
  for (const [index, message] of messages.entries()) {
    assert.match(answer.body.problems[index]?.message ?? "", message);
  }
  assert.deepEqual((await deliver(source, [null, open])).body.accepted, 1);
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 0, 0]);
});

test("SendGrid: accepts a timestamp as text, as in one of its examples", async (t) => {
  const source = await serveSource(t, "sendgrid", { secret });
  const answer = await deliver(source, [{ ...open, timestamp: String(timestamp) }]);
  assert.deepEqual(answer.body, accepted(1));
});

test("SendGrid: converts any document without throwing, into one event at most", () => {
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom("", "open", "1781521500", 1e300, -1));
  const fields = Object.keys({ ...open, ...click });
  const mutated = fc
    .tuple(fc.constantFrom(open, click), fc.dictionary(fc.constantFrom(...fields), value))
    .map(([event, changed]) => [{ ...event, ...changed }]);
  fc.assert(
    fc.property(
      fc.oneof(fc.jsonValue(), mutated),
      fc.constantFrom("campaign_id", "category", "__proto__", ""),
      (document, field) => {
        for (const given of sendgrid.listEvents(document) ?? []) {
          if (typeof given !== "object" || given === null || Array.isArray(given)) continue;
          assert.ok(sendgrid.convertEvent(given as Record<string, unknown>, field).length <= 1);
        }
      },
    ),
    { numRuns: randomCases(200) },
  );
});
