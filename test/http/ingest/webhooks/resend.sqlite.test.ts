// Webhooks of Resend and their signatures.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import test from "node:test";
import fc from "fast-check";
import { AppError } from "../../../../src/errors.ts";
import { resend } from "../../../../src/providers/resend.ts";
import { randomCases } from "../../../support/random-cases.ts";
import { accepted, summarizeQuarantined } from "../../../support/sending.ts";
import { countsOfCampaign, type SourceWorld, serveSource } from "../../../support/webhooks.ts";

/** The secret in the examples of Standard Webhooks and Svix. */
const key = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const secret = `whsec_${key}`;

const sentAt = "2026-06-15T10:59:58.894719+00:00";

/** The example of resend.com/docs/webhooks/emails/opened, with a campaign. */
const open = {
  type: "email.opened",
  created_at: "2026-06-15T11:05:12.126Z",
  data: {
    broadcast_id: "8b146471-e88e-4322-86af-016cd36fd216",
    created_at: sentAt,
    email_id: "56761188-7520-42d8-8898-ff6fc54ce618",
    from: "Acme <onboarding@resend.dev>",
    to: ["delivered@resend.dev"],
    subject: "Sending this example",
    template_id: "43f68331-0622-4e15-8202-246a0388854b",
    tags: { category: "confirm_email", campaign_id: "1" } as unknown,
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

const openedAs = (data: object, created_at = open.created_at) => ({
  ...open,
  created_at,
  data: { ...open.data, ...data },
});
const clickedAs = (details: object) => ({
  ...click,
  data: { ...click.data, click: { ...click.data.click, ...details } },
});
const eventsOf = (given: object, campaignField = "campaign_id") =>
  resend.convertEvent(given as Record<string, unknown>, campaignField);

function signatureOf(id: string, timestamp: number, body: string | Buffer, withKey = key): string {
  const hmac = createHmac("sha256", Buffer.from(withKey, "base64"));
  return `v1,${hmac.update(`${id}.${timestamp}.`).update(body).digest("base64")}`;
}

/** Signs as Resend does, with the system time, which the signature is checked against. */
function signed(
  body: string | Buffer,
  { id = "msg_1", late = 0, prefix = "svix" } = {},
): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1000) - late;
  return {
    [`${prefix}-id`]: id,
    [`${prefix}-timestamp`]: String(timestamp),
    [`${prefix}-signature`]: signatureOf(id, timestamp, body),
  };
}

function deliver(source: SourceWorld, document: unknown) {
  const body = typeof document === "string" ? document : JSON.stringify(document);
  return source.deliver(body, signed(body));
}

const authenticate = (
  body: string,
  headers: Record<string, string | string[]>,
  withSecret: string | undefined = secret,
) =>
  resend.authenticate({
    headers,
    body: Buffer.from(body),
    url: "",
    secret: withSecret,
    fetch: () => assert.fail("unexpected request"),
  });

const isUnauthorized = (error: unknown) => error instanceof AppError && error.code === "unauthorized";

test("Resend: counts an open and a click, each with its own time", async (t) => {
  const source = await serveSource(t, "resend", { secret });
  const opened = await deliver(source, open);
  assert.equal(opened.status, 200);
  assert.deepEqual(opened.body, accepted(1));
  assert.deepEqual((await deliver(source, click)).body, accepted(1));
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 1, 0]);
  assert.equal(eventsOf(open)[0]?.at, open.created_at);
  assert.equal(eventsOf(click)[0]?.at, click.data.click.timestamp);
});

test("Resend: counts an event once, however often and under whichever request id it is sent", async (t) => {
  const source = await serveSource(t, "resend", { secret });
  for (const event of [open, click]) {
    const body = JSON.stringify(event);
    assert.deepEqual((await source.deliver(body, signed(body))).body, accepted(1));
    for (const id of ["msg_1", "msg_2"]) {
      const again = await source.deliver(body, signed(body, { id }));
      assert.deepEqual(again.body, { ...accepted(0), repeated: 1 });
    }
  }
  await deliver(source, openedAs({}, "2026-06-15T11:45:00.000Z"));
  assert.deepEqual(await countsOfCampaign(source), [1, 1, 1, 0]);
});

test("Resend: distinguishes events by message, recipient, time and link", () => {
  const others = [
    open,
    openedAs({ email_id: "2" }),
    openedAs({ to: ["other@resend.dev"] }),
    openedAs({}, "2026-06-15T11:05:12.127Z"),
    { ...open, type: "email.clicked" },
    click,
    clickedAs({ link: "https://resend.com/docs" }),
    clickedAs({ timestamp: "2026-06-15T11:06:57.164Z" }),
  ];
  assert.equal(new Set(others.map((each) => eventsOf(each)[0]?.id)).size, others.length);
});

test("Resend: does not count the click of a scanner or the open of a prefetch", async (t) => {
  const source = await serveSource(t, "resend", { secret });
  await deliver(source, clickedAs({ userAgent: "Barracuda Sentinel (EE)" }));
  await deliver(source, openedAs({ open: { userAgent: "Mozilla/5.0", ipAddress: "17.58.0.1" } }));
  assert.deepEqual(await countsOfCampaign(source), [0, 0, 0, 0]);
  // Invalid evidence is ignored.
  await deliver(source, openedAs({ email_id: "2", open: { userAgent: 7, ipAddress: {} } }));
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 0, 0]);
  const { userAgent } = click.data.click;
  await deliver(source, openedAs({ email_id: "3", to: ["other@resend.dev"], open: { userAgent } }));
  assert.deepEqual(await source.numbers("unique_opens", "desktop_open_rate"), [2, 100]);
});

test("Resend: ignores an event of a message to several recipients", () => {
  const to = ["ann@example.com", "bob@example.com"];
  assert.equal(eventsOf(openedAs({ to }))[0]?.campaign_id, undefined);
});

test("Resend: removes display names around email addresses", () => {
  const recipientOf = (to: unknown) => eventsOf(openedAs({ to }))[0]?.recipient;
  for (const [to, expected] of [
    [['"Ann, of Acme" <ann@example.com>'], "ann@example.com"],
    ["Ann <ann@example.com> ", "ann@example.com"],
    [["<>"], "<>"],
    [[], undefined],
    [[7], 7],
    [undefined, undefined],
  ] as const) {
    assert.deepEqual(recipientOf(to), expected, JSON.stringify(to));
  }
});

test("Resend: reads the campaign from a tag, a header or a field of the event", async (t) => {
  const campaignOf = (data: object, field?: string) => eventsOf(openedAs(data), field)[0]?.campaign_id;
  for (const [field, tags, expected] of [
    ["campaign_id", { campaign_id: "weekly" }, "weekly"],
    [
      "campaign_id",
      [
        { name: "category", value: "x" },
        { name: "campaign_id", value: "7" },
      ],
      7,
    ],
    ["campaign_id", [null, 7, { name: "campaign_id" }], undefined],
    ["campaign_id", { campaign_id: {} }, undefined],
    ["campaign_id", "campaign_id", undefined],
    ["constructor", {}, undefined],
    ["template_id", {}, open.data.template_id],
    ["template_id", { template_id: "1" }, 1],
  ] as const) {
    assert.equal(campaignOf({ tags }, field), expected, JSON.stringify([field, tags]));
  }
  const headers = [
    { name: "Reply-To", value: "reply@example.com" },
    null,
    { name: "X-Campaign", value: "7" },
  ];
  assert.equal(campaignOf({ tags: {}, headers }, "x-campaign"), 7);
  assert.equal(campaignOf({ tags: { "x-campaign": "8" }, headers }, "x-campaign"), 8);
  assert.equal(campaignOf({ tags: {}, headers: { "x-campaign": "9" } }, "x-campaign"), undefined);
  const source = await serveSource(t, "resend", {
    secret,
    campaignField: "broadcast_id",
    register: { external_id: open.data.broadcast_id },
  });
  assert.deepEqual((await deliver(source, open)).body, accepted(1));
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 0, 0]);
});

test("Resend: accepts the published signature within five minutes, under either name of the headers", (t) => {
  const body = '{"test": 2432232314}';
  const headers = (prefix: string, signature = "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=") => ({
    [`${prefix}-id`]: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    [`${prefix}-timestamp`]: "1614265330",
    [`${prefix}-signature`]: `v1,${signature}`,
  });
  t.mock.timers.enable({ apis: ["Date"], now: 1_614_265_330_000 });
  assert.equal(authenticate(body, headers("svix")), undefined);
  assert.equal(authenticate(body, headers("webhook")), undefined);
  assert.throws(() => authenticate(`${body} `, headers("svix")), isUnauthorized);
  const others = "v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc= v2,g0hM9SsE v1 x";
  const { "svix-signature": right = "" } = headers("svix");
  assert.equal(authenticate(body, { ...headers("svix"), "svix-signature": `${others} ${right}` }), undefined);
  assert.throws(() => authenticate(body, { ...headers("svix"), "svix-signature": others }), isUnauthorized);

  for (const [ms, isAccepted] of [
    [300_000, true],
    [301_000, false],
    [-300_000, true],
    [-301_000, false],
  ] as const) {
    t.mock.timers.setTime(1_614_265_330_000 + ms);
    if (isAccepted) assert.equal(authenticate(body, headers("svix")), undefined, `${ms}`);
    else assert.throws(() => authenticate(body, headers("svix")), isUnauthorized, `${ms}`);
  }
});

test("Resend: refuses a request without a valid and recent signature and counts nothing", async (t) => {
  const source = await serveSource(t, "resend", { secret });
  const body = JSON.stringify(open);
  const right = signed(body);
  const { "svix-signature": signature = "", "svix-timestamp": timestamp = "" } = right;
  const without = (name: string) =>
    Object.fromEntries(Object.entries(right).filter(([each]) => each !== name));
  const wrong: [string, Record<string, string>][] = [
    [body, {}],
    [body, without("svix-id")],
    [body, without("svix-timestamp")],
    [body, without("svix-signature")],
    [body, { ...right, "svix-signature": signature.slice(0, -8) }],
    [body, { ...right, "svix-signature": "v1," }],
    [body, { ...right, "svix-signature": "v1" }],
    [body, { ...right, "svix-signature": "%%% ,,, v1,%%%" }],
    [body, { ...right, "svix-signature": signature.replace("v1,", "v2,") }],
    [body, { ...right, "svix-signature": signatureOf("msg_1", Number(timestamp), body, "b3RoZXI=") }],
    [body, { ...right, "svix-id": "msg_2" }],
    [body, { ...right, "svix-timestamp": String(Number(timestamp) - 1) }],
    [body, { ...right, "svix-timestamp": "now" }],
    [body, signed(body, { late: 310 })],
    // An hour ahead, because it comes nearer while the requests before it are sent.
    [body, signed(body, { late: -3_600 })],
    [body.slice(0, -1), right],
    [body.replace("delivered@", "forged@"), right],
    ["", right],
  ];
  for (const [sent, headers] of wrong) {
    const answer = await source.deliver(sent, headers);
    assert.deepEqual([answer.status, answer.body.error], [401, "unauthorized"], JSON.stringify(headers));
    assert.match(
      answer.body.error_message,
      /^The request has no Resend signature .*source change --secret\. Check that the clock/,
    );
    assert.equal(answer.body.error_message.includes(key), false);
  }
  assert.deepEqual(await summarizeQuarantined(source), []);
  assert.deepEqual(await countsOfCampaign(source), [0, 0, 0, 0]);
  assert.equal((await source.deliver(body, right)).status, 200);
});

test("Resend: refuses every request for a source without a secret", async (t) => {
  const source = await serveSource(t, "resend");
  const body = JSON.stringify(open);
  const answer = await source.deliver(body, signed(body));
  assert.equal(answer.status, 401);
  assert.match(answer.body.error_message, /signing secret .*source change --secret/);
  assert.throws(() => authenticate(body, signed(body), ""), isUnauthorized);
});

test("Resend: answers any invalid header or secret with unauthorized, never with another error", () => {
  const header = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(fc.string()),
    fc.constant("v1,"),
    fc.constant("1e9"),
  );
  const headers = fc.dictionary(
    fc.constantFrom("svix-id", "svix-timestamp", "svix-signature", "webhook-id", "webhook-signature"),
    header,
  );
  const secrets = fc.oneof(
    fc.string(),
    fc.constant(secret),
    fc.string().map((text) => `whsec_${text}`),
  );
  fc.assert(
    fc.property(fc.string(), headers, secrets, (body, given, withSecret) => {
      assert.throws(() => authenticate(body, given, withSecret), isUnauthorized);
    }),
  );
});

test("Resend: accepts only secrets with the format of a signing secret", () => {
  const { format } = resend.secret;
  assert.match(format?.description ?? "", /^the signing secret that Resend shows for the webhook/);
  for (const right of [secret, "whsec_b3RoZXI="]) assert.equal(format?.isValid(right), true, right);
  for (const wrong of ["", "whsec_", key, `re_${key}`, "whsec_%%%", "whsec_a", `${secret} `, `${secret}\n`]) {
    assert.equal(format?.isValid(wrong), false, wrong);
  }
});

test("Resend: acknowledges and ignores other event types and other mail of the account", async (t) => {
  const source = await serveSource(t, "resend", { secret });
  for (const other of [
    { ...open, type: "email.delivered" },
    { ...open, type: "contact.created" },
    { ...open, type: undefined },
    openedAs({ tags: { category: "confirm_email" } }),
    openedAs({ tags: undefined }),
    { ...open, data: "email" },
    { ...open, data: undefined },
  ]) {
    const answer = await deliver(source, other);
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, accepted(0));
  }
  assert.deepEqual(await summarizeQuarantined(source), []);
});

test("Resend: quarantines signed but unreadable events instead of refusing them", async (t) => {
  const source = await serveSource(t, "resend", { secret });
  for (const body of [JSON.stringify(open).slice(0, -20), "not JSON", "[]", "null", "7"]) {
    const answer = await deliver(source, body);
    assert.deepEqual([answer.status, answer.body.quarantined], [200, 1], body);
  }
  const unread = async (event: object) => (await deliver(source, event)).body.problems[0]?.message ?? "";
  assert.match(await unread(openedAs({}, "yesterday")), /^at: "yesterday" is not an ISO-8601 time/);
  assert.match(await unread(openedAs({ email_id: undefined })), /^id: is missing/);
  assert.match(await unread(openedAs({ email_id: "" })), /^id: "" is not text/);
  assert.match(await unread(openedAs({ to: [] })), /^recipient: is missing/);
  assert.match(await unread(clickedAs({ link: undefined })), /^url: is missing/);
  assert.deepEqual(await countsOfCampaign(source), [0, 0, 0, 0]);
});

test("Resend: converts any document without throwing, into one event at most", () => {
  const dataKeys = ["email_id", "to", "tags", "click", "open", "created_at", "campaign_id"];
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom("", "<>", "a <b", "2026-06-15T11:05:12.126Z"));
  const mutated = fc
    .tuple(
      fc.constantFrom(open, click),
      fc.dictionary(fc.constantFrom("type", "created_at", "data"), value, { maxKeys: 1 }),
      fc.dictionary(fc.constantFrom(...dataKeys), value),
    )
    .map(([event, change, data]) => ({ ...event, data: { ...event.data, ...data }, ...change }));
  fc.assert(
    fc.property(
      fc.oneof(fc.jsonValue(), mutated),
      fc.constantFrom("campaign_id", "tags", "__proto__"),
      (document, field) => {
        for (const given of resend.listEvents(document) ?? []) {
          if (typeof given !== "object" || given === null || Array.isArray(given)) continue;
          assert.ok(resend.convertEvent(given as Record<string, unknown>, field).length <= 1);
        }
      },
    ),
    { numRuns: randomCases(200) },
  );
});
