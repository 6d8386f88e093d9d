// Webhooks of Mailgun and their signatures.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import test from "node:test";
import fc from "fast-check";
import { AppError } from "../../../../src/errors.ts";
import { mailgun } from "../../../../src/providers/mailgun.ts";
import { randomCases } from "../../../support/random-cases.ts";
import { accepted, summarizeQuarantined } from "../../../support/sending.ts";
import { countsOfCampaign, type SourceWorld, serveSource } from "../../../support/webhooks.ts";

const secret = "key-55c5c5c5c55f55ca5cd5f55d5c555c55";
const token = "a8ce0edb2dd8301dee6c2405235584e45aa91d1e9f979f3de0";

const signatureOf = (timestamp: string | number, key = secret) =>
  createHmac("sha256", key).update(`${timestamp}${token}`).digest("hex");

/** 2026-06-15T11:05:00.126953Z */
const timestamp = 1_781_521_500.126953;

/** The test event of Mailgun, with a campaign and another time. */
const open = {
  id: "Ase7i2zsRYeDXztHGENqRA",
  timestamp,
  "log-level": "info",
  event: "opened",
  message: { headers: { "message-id": "20130503182626.18666.16540@mail.example.com" } },
  recipient: "alice@example.com",
  "recipient-domain": "example.com",
  ip: "50.56.129.169",
  geolocation: { country: "US", region: "CA", city: "San Francisco" },
  "client-info": {
    "client-os": "Linux",
    "device-type": "desktop",
    "client-name": "Chrome",
    "client-type": "browser",
    "user-agent":
      "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.31 (KHTML, like Gecko) Chrome/26.0.1410.43 Safari/537.31",
    bot: "",
  },
  campaigns: [],
  tags: ["my_tag_1", "my_tag_2"] as unknown,
  "user-variables": { my_var_1: "Mailgun Variable #1", "my-var-2": "awesome", campaign_id: "1" } as unknown,
};
const click = { ...open, event: "clicked", url: "http://google.com" };

/** The example of documentation.mailgun.com/docs/mailgun/user-manual/tracking-messages/open-click-bot-detect. */
const botInfo = {
  "client-name": "unknown",
  "client-type": "unknown",
  "user-agent": "Mozilla/5.0",
  "device-type": "unknown",
  "client-os": "unknown",
  bot: "apple",
};
const gmailProxy =
  "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)";
const gmailPrefetch =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Mozilla/5.0";
const iPhone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 6_1 like Mac OS X) AppleWebKit/536.26 (KHTML, like Gecko) Mobile/10B143";

let count = 0;

/** The event with a new id and recipient; `info` and `given` override its fields. */
function again(event: typeof open, info: object = {}, given: object = {}): Record<string, unknown> {
  count += 1;
  const clientInfo = { ...event["client-info"], ...info };
  return {
    ...event,
    id: `e-${count}`,
    recipient: `r-${count}@example.com`,
    "client-info": clientInfo,
    ...given,
  };
}

const signed = (
  event: unknown,
  signature: unknown = { timestamp: "1781521501", token, signature: signatureOf("1781521501") },
) => ({
  signature,
  "event-data": event,
});

const deliver = ({ deliver }: SourceWorld, event: unknown) => deliver(signed(event));

const authenticate = (body: string | Uint8Array, key: string | undefined = secret) =>
  mailgun.authenticate({
    headers: {},
    body: Buffer.from(body),
    url: "",
    secret: key,
    fetch: () => Promise.reject(new Error("unexpected request")),
  });

const isUnauthorized = (error: unknown) => error instanceof AppError && error.code === "unauthorized";

test("Mailgun: counts an open and a click with the time and device that it reports", async (t) => {
  const source = await serveSource(t, "mailgun", { secret });
  for (const event of [open, click]) {
    const answer = await deliver(source, event);
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, accepted(1));
  }
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 1, 0]);
  assert.deepEqual(await source.numbers("desktop_open_rate"), [100]);
  const [read] = mailgun.convertEvent(click, "campaign_id");
  assert.deepEqual(
    [read?.at, read?.url, read?.ip],
    ["2026-06-15T11:05:00.126Z", "http://google.com", open.ip],
  );
});

test("Mailgun: counts a repeated event once, even with another token", async (t) => {
  const source = await serveSource(t, "mailgun", { secret });
  await deliver(source, open);
  const other = "f".repeat(50);
  const signature = createHmac("sha256", secret).update(`1781522101${other}`).digest("hex");
  for (const body of [signed(open), signed(open, { timestamp: "1781522101", token: other, signature })]) {
    assert.deepEqual((await source.deliver(body)).body, { ...accepted(0), repeated: 1 });
  }
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 0, 0]);
  // Ids are unique only within a day.
  await deliver(source, { ...open, timestamp: timestamp + 1800 });
  assert.deepEqual(await countsOfCampaign(source), [1, 1, 0, 0]);
});

test("Mailgun: does not count the open of a bot, except through Gmail's proxy", async (t) => {
  const source = await serveSource(t, "mailgun", { secret });
  for (const info of [
    botInfo,
    { bot: "apple" },
    { bot: "generic" },
    { bot: "another" },
    { bot: true },
    { bot: "gmail", "user-agent": gmailPrefetch },
    // Without a bot the user agent decides.
    { bot: "", "user-agent": "Mozilla/5.0" },
    { bot: "", "user-agent": gmailPrefetch },
  ]) {
    assert.deepEqual((await deliver(source, again(open, info))).body, accepted(1));
    assert.deepEqual(await countsOfCampaign(source), [0, 0, 0, 0], JSON.stringify(info));
  }
  const persons = [
    { bot: "gmail", "user-agent": gmailProxy },
    {
      bot: "generic",
      "user-agent": "YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html",
    },
    { bot: "", "user-agent": gmailProxy },
    // Invalid evidence is ignored.
    { bot: null },
    { bot: {}, "user-agent": 7, "device-type": [] },
  ];
  for (const info of persons) await deliver(source, again(open, info));
  await deliver(source, again(open, {}, { "client-info": undefined, ip: 7 }));
  assert.deepEqual(await countsOfCampaign(source), [persons.length + 1, 0, 0, 0]);
});

test("Mailgun: does not count the click of a bot, not even of Gmail", async (t) => {
  const source = await serveSource(t, "mailgun", { secret });
  for (const info of [
    { bot: "generic" },
    { bot: "gmail" },
    { bot: "gmail", "user-agent": gmailProxy },
    { bot: "apple" },
    { bot: "", "user-agent": "Barracuda Sentinel (EE)" },
  ]) {
    await deliver(source, again(click, info));
    assert.deepEqual(await countsOfCampaign(source), [0, 0, 0, 0], JSON.stringify(info));
  }
  await deliver(source, again(click, { bot: "" }));
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 1, 0]);
});

test("Mailgun: counts a tablet as mobile, uses the user agent for unknown devices, and no device for a proxy", async (t) => {
  const source = await serveSource(t, "mailgun", { secret });
  const rates = () => source.numbers("unique_opens", "desktop_open_rate", "mobile_open_rate");
  await deliver(source, again(open, { "device-type": "tablet", "user-agent": "" }));
  assert.deepEqual(await rates(), [1, 0, 100]);
  await deliver(source, again(open, { "device-type": "mobile" }));
  await deliver(source, again(open, { "device-type": "unknown", "user-agent": iPhone }));
  await deliver(source, again(open, { "device-type": "other", "user-agent": "" }));
  assert.deepEqual(await rates(), [4, 0, 100]);
  await deliver(source, again(open, { "device-type": "desktop", "user-agent": gmailProxy, bot: "gmail" }));
  assert.deepEqual(await rates(), [5, 0, 100]);
  await deliver(source, again(open, { "device-type": "desktop", "user-agent": "" }));
  assert.deepEqual(await rates(), [6, 25, 75]);
});

test("Mailgun: reads the campaign from a variable of the message or from a field of the event", async (t) => {
  const campaignOf = (given: object, field: string) =>
    mailgun.convertEvent({ ...open, ...given }, field)[0]?.campaign_id;
  for (const [field, given, expected] of [
    ["campaign_id", { "user-variables": { campaign_id: 7 } }, 7],
    ["campaign_id", { "user-variables": { campaign_id: "weekly" } }, "weekly"],
    ["campaign_id", { "user-variables": [] }, undefined],
    ["campaign_id", { "user-variables": '{"campaign_id":"1"}' }, undefined],
    ["my_var_1", {}, "Mailgun Variable #1"],
    ["tags", {}, "my_tag_1"],
    ["tags", { tags: [] }, undefined],
    ["tags", { "user-variables": { tags: "variable" } }, "variable"],
    ["constructor", {}, undefined],
    ["__proto__", {}, undefined],
  ] as const) {
    assert.equal(campaignOf(given, field), expected, JSON.stringify([field, given]));
  }
  const source = await serveSource(t, "mailgun", {
    secret,
    campaignField: "tags",
    register: { external_id: "my_tag_1" },
  });
  assert.deepEqual((await deliver(source, { ...open, "user-variables": [] })).body, accepted(1));
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 0, 0]);
});

test("Mailgun: accepts a published signature with the timestamp as text or number, and one of the parent account", () => {
  // Published as an example by a library for Mailgun webhooks.
  const published = {
    timestamp: "1597313511",
    token: "a78fb97c20322f7ee7c2f2da9d606db9ab7152b138a0ffc1e2",
    signature: "6831675fc6ad003ec9b2262f046c3ac350ffdd662a85261b14252a8180fdedfb",
  };
  const key = "MY_SIGNING_KEY";
  const written = (signature: object) => JSON.stringify(signed(open, signature));
  assert.equal(authenticate(written(published), key), undefined);
  assert.equal(authenticate(written({ ...published, timestamp: 1_597_313_511 }), key), undefined);
  const ofSubaccount = {
    ...published,
    signature: "12d99f5a15355c180971bed7494d578b093c958f57766f3fe750761baed12345",
    "parent-signature": published.signature,
  };
  assert.equal(authenticate(written(ofSubaccount), key), undefined);
  assert.throws(
    () => authenticate(written({ ...ofSubaccount, "parent-signature": "" }), key),
    isUnauthorized,
  );
  for (const change of [
    { timestamp: "1597313512" },
    { token: published.token.slice(1) },
    { signature: published.signature.slice(0, -1) },
    { signature: published.signature.replace("6", "7") },
  ]) {
    assert.throws(() => authenticate(written({ ...published, ...change }), key), isUnauthorized);
  }
  assert.throws(() => authenticate(written(published), "MY_SIGNING_KEX"), isUnauthorized);
  assert.throws(() => authenticate(written(published), ""), isUnauthorized);
});

test("Mailgun: refuses a request without a valid signature and counts nothing", async (t) => {
  const source = await serveSource(t, "mailgun", { secret });
  const right = { timestamp: "1781521501", token, signature: signatureOf("1781521501") };
  const { timestamp: _, ...withoutTime } = right;
  const { token: __, ...withoutToken } = right;
  const wrong: unknown[] = [
    open,
    { "event-data": open },
    signed(open, null),
    signed(open, {}),
    signed(open, right.signature),
    signed(open, withoutTime),
    signed(open, withoutToken),
    signed(open, { ...right, timestamp: [right.timestamp] }),
    signed(open, { ...right, token: [token] }),
    signed(open, { ...right, signature: undefined }),
    signed(open, { ...right, signature: [right.signature] }),
    signed(open, { ...right, signature: signatureOf("1781521501", "key-of-another-account") }),
    signed(open, { ...right, timestamp: "1781521502" }),
    signed(open, { ...right, timestamp: null, signature: signatureOf("null") }),
    signed(open, { ...right, timestamp: undefined, signature: signatureOf("undefined") }),
    JSON.stringify(signed(open)).slice(0, -1),
    `token=${token}&timestamp=1781521501&signature=${right.signature}&event=opened`,
    "",
    "null",
    "[]",
  ];
  for (const body of wrong) {
    const answer = await source.deliver(body);
    assert.deepEqual([answer.status, answer.body.error], [401, "unauthorized"], JSON.stringify(body));
    assert.match(answer.body.error_message, /HTTP webhook signing key .*source change --secret/);
    assert.equal(answer.text.includes(secret), false);
  }
  assert.deepEqual(await summarizeQuarantined(source), []);
  assert.deepEqual(await countsOfCampaign(source), [0, 0, 0, 0]);
  assert.equal((await source.deliver(signed(open, right))).status, 200);
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 0, 0]);
});

test("Mailgun: refuses every request for a source without a secret, even if signed with an empty key", async (t) => {
  const source = await serveSource(t, "mailgun");
  const body = signed(open, { timestamp: "1", token, signature: signatureOf("1", "") });
  const answer = await source.deliver(body);
  assert.equal(answer.status, 401);
  assert.match(
    answer.body.error_message,
    /^This source has no secret yet.* HTTP webhook signing key .*source change --secret/,
  );
  assert.throws(
    () =>
      mailgun.authenticate({
        headers: {},
        body: Buffer.from(JSON.stringify(body)),
        url: "",
        secret: undefined,
        fetch: async () => Buffer.alloc(0),
      }),
    isUnauthorized,
  );
});

test("Mailgun: accepts only secrets with the format of a signing key", () => {
  const { format } = mailgun.secret;
  assert.match(format?.description ?? "", /^the HTTP webhook signing key that Mailgun shows/);
  for (const right of [secret, "5f0c6e1d2b3a49788796a5b4c3d2e1f0"])
    assert.equal(format?.isValid(right), true);
  for (const wrong of [
    "",
    "key",
    `${secret}\n`,
    `${secret} `,
    "the signing key of Mailgun",
    "ä".repeat(32),
  ]) {
    assert.equal(format?.isValid(wrong), false, wrong);
  }
});

test("Mailgun: answers any invalid body or secret with unauthorized, never with another error", () => {
  const signature = fc.dictionary(
    fc.constantFrom("timestamp", "token", "signature", "parent-signature"),
    fc.oneof(fc.jsonValue(), fc.constantFrom(token, "1781521501", 1_781_521_501)),
  );
  const bodies = fc.oneof(
    fc.uint8Array(),
    fc.json().map((text) => Buffer.from(text)),
    signature.map((given) => Buffer.from(JSON.stringify(signed(open, given)))),
  );
  fc.assert(
    fc.property(bodies, fc.oneof(fc.string(), fc.constant(secret)), (body, key) => {
      assert.throws(() => authenticate(body, key), isUnauthorized);
    }),
  );
});

test("Mailgun: acknowledges and ignores other event types and other mail of the account", async (t) => {
  const source = await serveSource(t, "mailgun", { secret });
  for (const other of [
    ...["accepted", "delivered", "failed", "unsubscribed", "complained", "stored", 7, undefined].map(
      (event) => ({
        ...open,
        event,
      }),
    ),
    { ...open, "user-variables": { my_var_1: "x" } },
    { ...open, "user-variables": [] },
    { ...click, "user-variables": undefined },
    { ...open, event: "clicked" },
    {},
  ]) {
    const answer = await deliver(source, other);
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, accepted(0), JSON.stringify(other));
  }
  assert.deepEqual(await summarizeQuarantined(source), []);
});

test("Mailgun: quarantines signed but unreadable events instead of refusing them", async (t) => {
  const source = await serveSource(t, "mailgun", { secret });
  for (const event of [undefined, null, 7, "opened", [open]]) {
    const answer = await deliver(source, event);
    assert.deepEqual([answer.status, answer.body.quarantined], [200, 1], JSON.stringify(event));
    assert.equal(answer.body.problems[0]?.message, "is not a webhook of Mailgun");
  }
  const unread = async (event: object) => (await deliver(source, event)).body.problems[0]?.message ?? "";
  assert.match(await unread({ ...open, timestamp: "yesterday" }), /^at: "yesterday" is not an ISO-8601 time/);
  assert.match(await unread({ ...open, timestamp: null }), /^at: is missing/);
  assert.match(await unread({ ...open, id: undefined }), /^id: is missing/);
  assert.match(await unread({ ...open, id: "" }), /^id: "" is not/);
  assert.match(await unread({ ...open, id: 7 }), /^id: 7 is not/);
  assert.match(await unread({ ...open, recipient: [] }), /^recipient: \[\] is not/);
  assert.match(await unread({ ...click, url: null }), /^url: is missing/);
  assert.deepEqual(await countsOfCampaign(source), [0, 0, 0, 0]);
});

test("Mailgun: converts any document without throwing, into one event at most", () => {
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom("", "gmail", true, 1e300, -1, "1781521500.5"));
  const mutated = fc
    .tuple(
      fc.constantFrom(open, click),
      fc.dictionary(fc.constantFrom(...Object.keys(click)), value),
      fc.dictionary(fc.constantFrom("bot", "user-agent", "device-type"), value),
    )
    .map(([event, changed, info]) => signed({ ...again(event, info), ...changed }));
  fc.assert(
    fc.property(
      fc.oneof(fc.jsonValue(), mutated),
      fc.constantFrom("campaign_id", "tags", "__proto__", ""),
      (document, field) => {
        for (const given of mailgun.listEvents(document) ?? []) {
          assert.ok(mailgun.convertEvent(given as Record<string, unknown>, field).length <= 1);
        }
      },
    ),
    { numRuns: randomCases(200) },
  );
});
