// Webhooks of Mailchimp Transactional (Mandrill) and their signatures.

import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import test from "node:test";
import fc from "fast-check";
import { parseWebhookBatch } from "../../../../src/counting/events/webhook-batch.ts";
import { AppError } from "../../../../src/errors.ts";
import { mandrill } from "../../../../src/providers/mandrill.ts";
import { randomCases } from "../../../support/random-cases.ts";
import { accepted, allQuarantined, summarizeQuarantined } from "../../../support/sending.ts";
import { countsOfCampaign, publicUrl, type SourceWorld, serveSource } from "../../../support/webhooks.ts";

const secret = "ntynTMaFpM_octE5R1DKAw";

/** JSON as PHP serializes it. */
const serialize = (events: unknown) => JSON.stringify(events).replaceAll("/", "\\/");
const formOf = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

/** The signature of a form for a URL: it covers the fields in the order of their names. */
function signatureOf(url: string, fields: Record<string, string>, key = secret): string {
  const names = Object.keys(fields).sort();
  const text = url + names.map((name) => name + fields[name]).join("");
  return createHmac("sha1", key).update(text).digest("base64");
}

/** 2026-06-15T11:05:00Z */
const ts = 1_781_521_500;
const userAgent =
  "Mozilla/5.0 (Macintosh; U; Intel Mac OS X 10.6; en-US; rv:1.9.1.8) Gecko/20100317 Postbox/1.1.3";

/** The test events of Mailchimp Transactional, with a campaign and another time. */
const message = {
  ts: 1_781_521_200,
  subject: "This an example webhook message",
  email: "example.webhook@mandrillapp.com",
  sender: "example.sender@mandrillapp.com",
  tags: ["webhook-example"] as unknown,
  opens: [{ ts }],
  clicks: [{ ts, url: "http://mandrill.com" }],
  state: "sent",
  metadata: { user_id: 111, campaign_id: "1" } as unknown,
  _id: "exampleaaaaaaaaaaaaaaaaaaaaaaaaa",
  _version: "exampleaaaaaaaaaaaaaaa",
};
const parsed = {
  type: "Email Client",
  ua_family: "Postbox",
  ua_name: "Postbox 1.1.3",
  ua_version: "1.1.3",
  ua_url: "http://www.postbox-inc.com/",
  ua_company: "Postbox, Inc.",
  ua_company_url: "http://www.postbox-inc.com/",
  ua_icon: "http://cdn.mandrill.com/img/email-client-icons/postbox.png",
  os_family: "OS X",
  os_name: "OS X 10.6 Snow Leopard",
  os_url: "http://www.apple.com/osx/",
  os_company: "Apple Computer, Inc.",
  os_company_url: "http://www.apple.com/",
  os_icon: "http://cdn.mandrill.com/img/email-client-icons/macosx.png",
  mobile: false,
};
const location = {
  country_short: "US",
  country: "United States",
  region: "Oklahoma",
  city: "Oklahoma City",
  latitude: 35.4675598145,
  longitude: -97.5164337158,
  postal_code: "73101",
  timezone: "-05:00",
};
const open = {
  event: "open",
  msg: message,
  _id: message._id,
  ip: "127.0.0.1",
  location,
  user_agent: userAgent as unknown,
  user_agent_parsed: parsed as unknown,
  ts,
};
const click = { ...open, event: "click", url: "http://mandrill.com" };
const others = [
  ...["send", "deferral", "hard_bounce", "soft_bounce", "delivered", "spam", "unsub", "reject"].map(
    (event) => ({
      event,
      msg: message,
      _id: message._id,
      ts,
    }),
  ),
  { type: "blacklist", action: "add", reject: { reason: "hard-bounce", email: message.email }, ts },
  { type: "whitelist", action: "remove", entry: { email: message.email }, ts },
];

let count = 0;

/** The event for another message and recipient; `given` overrides its fields. */
function again(event: object, given: object = {}): Record<string, unknown> {
  count += 1;
  return { ...event, _id: `m-${count}`, msg: { ...message, email: `r-${count}@example.com` }, ...given };
}

const deliver = ({ deliver, path }: SourceWorld, events: unknown, more: Record<string, string> = {}) => {
  const fields = { mandrill_events: typeof events === "string" ? events : serialize(events), ...more };
  return deliver(formOf(fields), headersOf(signatureOf(publicUrl + path, fields)));
};
const headersOf = (signature: string) => ({
  "content-type": "application/x-www-form-urlencoded",
  "x-mandrill-signature": signature,
});

const authenticate = (
  body: string | Uint8Array,
  signature: unknown,
  given: { url?: string; secret?: string | undefined } = {},
) =>
  mandrill.authenticate({
    headers: { "x-mandrill-signature": signature as string },
    body: Buffer.from(body),
    url: "https://example.com/hook",
    secret,
    fetch: () => Promise.reject(new Error("unexpected request")),
    ...given,
  });

const isUnauthorized = (error: unknown) => error instanceof AppError && error.code === "unauthorized";

test("Mandrill: counts the opens and clicks of a batch and ignores other event types", async (t) => {
  const source = await serveSource(t, "mandrill", { secret });
  const answer = await deliver(source, [...others.slice(0, 4), open, click, ...others.slice(4)]);
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, accepted(2));
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 1, 0]);
  assert.deepEqual(await source.numbers("desktop_open_rate"), [100]);
  assert.deepEqual(await summarizeQuarantined(source), []);
});

test("Mandrill: counts a repeated batch once", async (t) => {
  const source = await serveSource(t, "mandrill", { secret });
  await deliver(source, [open, click, open]);
  // The message has more opens by now, but the event is the same.
  const later = { ...click, msg: { ...message, opens: [{ ts }, { ts: ts + 60 }], clicks: [] } };
  for (const batch of [
    [open, click],
    [later, open],
  ]) {
    assert.deepEqual((await deliver(source, batch)).body, { ...accepted(0), repeated: 2 });
  }
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 1, 0]);
  await deliver(source, [{ ...open, ts: ts + 1800 }]);
  assert.deepEqual(await countsOfCampaign(source), [1, 1, 1, 0]);
});

test("Mandrill: distinguishes events by message, recipient, time, link, IP address and user agent", () => {
  const idOf = (event: object) =>
    mandrill.convertEvent(event as Record<string, unknown>, "campaign_id")[0]?.id;
  const different = [
    open,
    click,
    { ...open, _id: "another" },
    { ...open, ts: ts + 1 },
    { ...open, ip: "127.0.0.2" },
    { ...open, user_agent: "another" },
    { ...open, msg: { ...message, email: "another@example.com" } },
    { ...click, url: "http://mandrill.com/another" },
  ];
  assert.equal(new Set(different.map(idOf)).size, different.length);
  assert.equal(idOf({ ...open, location: null, user_agent_parsed: null }), idOf(open));
});

test("Mandrill: does not count a robot, except a proxy through which a person opens", async (t) => {
  const source = await serveSource(t, "mandrill", { secret });
  const as = (event: object, type: unknown, agent: unknown = userAgent) =>
    again(event, { user_agent: agent, user_agent_parsed: { ...parsed, type } });
  const proxy = "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)";
  const machines = [
    as(open, "Robot"),
    as(open, "robot"),
    as(click, "Robot"),
    as(click, "Robot", proxy),
    as(open, "Browser", "Mozilla/5.0"),
    as(click, "Browser", "Barracuda Sentinel (EE)"),
  ];
  assert.deepEqual((await deliver(source, machines)).body, accepted(machines.length));
  assert.deepEqual(await countsOfCampaign(source), [0, 0, 0, 0]);
  const persons = [
    as(open, "Robot", proxy),
    as(open, "Browser"),
    as(open, "unknown", proxy),
    // Invalid evidence is ignored.
    as(open, ["Robot"], 7),
    again(open, { user_agent: null, user_agent_parsed: null, ip: {}, location: null }),
    again(open, { user_agent_parsed: [] }),
  ];
  await deliver(source, persons);
  assert.deepEqual(await countsOfCampaign(source), [persons.length, 0, 0, 0]);
});

test("Mandrill: counts mobile clients as mobile, and uses the user agent for all others", async (t) => {
  const source = await serveSource(t, "mandrill", { secret });
  const as = (mobile: unknown, agent: string) =>
    again(open, { user_agent: agent, user_agent_parsed: { ...parsed, mobile } });
  const iPhone = "Mozilla/5.0 (iPhone; CPU iPhone OS 6_1 like Mac OS X) AppleWebKit/536.26 Mobile/10B143";
  const rates = () => source.numbers("unique_opens", "desktop_open_rate", "mobile_open_rate");
  await deliver(source, [as(true, "Mozilla/4.0 (Acme Reader)"), as(false, iPhone), as("true", iPhone)]);
  assert.deepEqual(await rates(), [3, 0, 100]);
  const proxy = "Mozilla/5.0 (via ggpht.com GoogleImageProxy)";
  await deliver(source, [as(false, "Mozilla/4.0 (Acme Reader)"), as(true, proxy), as(false, proxy)]);
  assert.deepEqual(await rates(), [6, 0, 100]);
  await deliver(source, [as(false, userAgent)]);
  assert.deepEqual(await rates(), [7, 25, 75]);
});

test("Mandrill: reads the campaign from the metadata of the message or from one of its fields", async (t) => {
  const campaignOf = (msg: unknown, field: string) =>
    mandrill.convertEvent({ ...open, msg }, field)[0]?.campaign_id;
  for (const [field, given, expected] of [
    ["campaign_id", { metadata: { campaign_id: 7 } }, 7],
    ["campaign_id", { metadata: { campaign_id: "weekly" } }, "weekly"],
    ["campaign_id", { metadata: [] }, undefined],
    ["campaign_id", { metadata: null }, undefined],
    ["tags", {}, "webhook-example"],
    ["tags", { tags: [] }, undefined],
    ["tags", { metadata: { tags: "of metadata" } }, "of metadata"],
    ["subject", {}, "This an example webhook message"],
    ["constructor", {}, undefined],
    ["__proto__", {}, undefined],
  ] as const) {
    assert.equal(campaignOf({ ...message, ...given }, field), expected, JSON.stringify([field, given]));
  }
  const source = await serveSource(t, "mandrill", {
    secret,
    campaignField: "tags",
    register: { external_id: "webhook-example" },
  });
  assert.deepEqual(
    (await deliver(source, [{ ...open, msg: { ...message, metadata: [] } }])).body,
    accepted(1),
  );
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 0, 0]);
});

test("Mandrill: accepts a real request and refuses every change of it", () => {
  // Published by the library mandrill-rails, together with its key and URL.
  const url = "http://requestb.in/q9a918q9";
  const signature = "7rUa4lNJitlb178MgGOcHO6T4Bg=";
  const sent = {
    event: "click",
    msg: {
      ...message,
      ts: 1_365_109_999,
      opens: [{ ts: 1_365_111_111 }],
      clicks: [{ ts: 1_365_111_111, url: "http://mandrill.com" }],
      metadata: { user_id: 111 },
    },
    ip: "127.0.0.1",
    location,
    user_agent: userAgent,
    user_agent_parsed: parsed,
    url: "http://mandrill.com",
    ts: 1_379_233_940,
  };
  const body = formOf({ mandrill_events: serialize([sent, sent]) });
  assert.equal(body.length, 4_091);
  assert.equal(authenticate(body, signature, { url }), undefined);
  for (const [text, given, options] of [
    [body, signature, { url: `${url}/` }],
    [body, signature, { url: url.replace("http:", "https:") }],
    [body, signature, { url, secret: `${secret}x` }],
    [body, signature, { url, secret: undefined }],
    [body, signature.slice(0, -1), { url }],
    [body, signature.toLowerCase(), { url }],
    [body, [signature], { url }],
    [body, undefined, { url }],
    [body.slice(0, -1), signature, { url }],
    [body.replace("Oklahoma", "Oklahomb"), signature, { url }],
    [`${body}&more=1`, signature, { url }],
    [`more=1&${body}`, signature, { url }],
    [`${body}&mandrill_events=%5B%5D`, signature, { url }],
  ] as const) {
    assert.throws(() => authenticate(text, given, options), isUnauthorized, text.slice(-30));
  }
});

test("Mandrill: verifies a signature over a URL with user name and password", async (t) => {
  const source = await serveSource(t, "mandrill", { secret });
  const fields = { mandrill_events: serialize([open]) };
  const [user, password] = ["any", "p@ss:word/1"];
  const authorization = `Basic ${btoa(`${user}:${password}`)}`;
  const sendSigned = (credentials: string, more: Record<string, string> = { authorization }) => {
    const url = (publicUrl + source.path).replace("://", `://${credentials}@`);
    return source.deliver(formOf(fields), { ...headersOf(signatureOf(url, fields)), ...more });
  };
  assert.deepEqual((await sendSigned(`${user}:${password}`)).body, accepted(1));
  const encoded = await sendSigned(`${user}:${encodeURIComponent(password)}`);
  assert.deepEqual(encoded.body, { ...accepted(0), repeated: 1 });
  assert.equal((await deliver(source, [click])).body.accepted, 1);
  for (const credentials of [`${user}:other`, password, ""]) {
    assert.equal((await sendSigned(credentials)).status, 401, credentials);
  }
  for (const given of ["Basic", "Basic !", `Bearer ${btoa("any:x")}`, `Basic ${btoa("any")}`]) {
    assert.equal((await sendSigned("any:x", { authorization: given })).status, 401, given);
  }
});

test("Mandrill: verifies the signature over all fields of the form, but reads only the events", async (t) => {
  const source = await serveSource(t, "mandrill", { secret });
  const more = { z: "Ä & ö=1+1", a: "", "m x": "%", "ü+%": "x" };
  assert.deepEqual((await deliver(source, [open], more)).body, accepted(1));
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 0, 0]);
});

test("Mandrill: reads the signed one of several lists in a form", async (t) => {
  const source = await serveSource(t, "mandrill", { secret });
  const fields = { mandrill_events: serialize([open]) };
  const forged = formOf({ mandrill_events: serialize([click]) });
  const headers = headersOf(signatureOf(publicUrl + source.path, fields));
  const refused = await source.deliver(`${formOf(fields)}&${forged}`, headers);
  assert.equal(refused.status, 401);
  assert.deepEqual((await source.deliver(`${forged}&${formOf(fields)}`, headers)).body, accepted(1));
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 0, 0]);
});

test("Mandrill: refuses a request without a valid signature and counts nothing", async (t) => {
  const source = await serveSource(t, "mandrill", { secret });
  const fields = { mandrill_events: serialize([open, click]) };
  const body = formOf(fields);
  const url = publicUrl + source.path;
  const right = signatureOf(url, fields);
  const wrong: [string, string | undefined][] = [
    [body, undefined],
    [body, ""],
    [body, "%%%"],
    [body, right.slice(0, -4)],
    [body, Buffer.from(right, "base64").toString("hex")],
    [body, signatureOf(url, fields, "key-of-another-account")],
    [body, signatureOf(url, fields, "test-webhook")],
    [body, signatureOf(`${url}/`, fields)],
    [body, signatureOf(publicUrl, fields)],
    [body, signatureOf("", fields)],
    [body.slice(0, -1), right],
    [body.slice(0, -2), right],
    [body.replace("example.webhook", "forged"), right],
    [fields.mandrill_events, right],
    ["", right],
    ["%", right],
  ];
  for (const [sent, signature] of wrong) {
    const answer = await source.deliver(sent, signature === undefined ? {} : headersOf(signature));
    assert.deepEqual([answer.status, answer.body.error], [401, "unauthorized"], `${signature}`);
    assert.match(answer.body.error_message, /source change --secret.* source list /);
  }
  assert.deepEqual(await summarizeQuarantined(source), []);
  assert.deepEqual(await countsOfCampaign(source), [0, 0, 0, 0]);
  assert.equal((await source.deliver(body, headersOf(right))).status, 200);
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 1, 0]);
});

test("Mandrill: answers the test request to a URL that has no key yet", async (t) => {
  const source = await serveSource(t, "mandrill", { secret });
  const head = await source.service.get(source.path, { method: "HEAD" });
  assert.equal(head.status, 200);
  const trial = (key: string, fields: Record<string, string>) =>
    source.deliver(formOf(fields), headersOf(signatureOf(publicUrl + source.path, fields, key)));
  const answer = await trial("test-webhook", { mandrill_events: "[]" });
  assert.deepEqual([answer.status, answer.text], [200, "{}"]);
  // The test key is public, so it is accepted only for a request without events.
  for (const events of [serialize([open]), "", "null", "[null]"]) {
    assert.equal((await trial("test-webhook", { mandrill_events: events })).status, 401, events);
  }
  assert.equal((await trial("test-webhook", {})).status, 401);
  assert.deepEqual((await trial(secret, { mandrill_events: "[]" })).body, accepted(0));
  assert.deepEqual(await countsOfCampaign(source), [0, 0, 0, 0]);
  assert.deepEqual(await summarizeQuarantined(source), []);
});

test("Mandrill: answers only HEAD requests for a source without a secret", async (t) => {
  const source = await serveSource(t, "mandrill");
  const answer = await deliver(source, [open]);
  assert.equal(answer.status, 401);
  assert.match(
    answer.body.error_message,
    /^This source has no secret yet.* column Key.*source change --secret/,
  );
  assert.equal((await source.service.get(source.path, { method: "HEAD" })).status, 200);
});

test("Mandrill: accepts only secrets with the format of a webhook key", () => {
  const { format } = mandrill.secret;
  assert.match(format?.description ?? "", /^the key that Mailchimp Transactional shows for the webhook/);
  for (const right of [secret, "gplJ8yhGWl0ecvnWeqQHBg"]) assert.equal(format?.isValid(right), true);
  for (const wrong of [
    "",
    "test-webhook",
    `${secret}\n`,
    `${secret} `,
    "a key of Mailchimp Transactional's",
  ]) {
    assert.equal(format?.isValid(wrong), false, wrong);
  }
});

test("Mandrill: acknowledges and ignores other mail of the account and events without a message", async (t) => {
  const source = await serveSource(t, "mandrill", { secret });
  const { msg: _, ...withoutMessage } = open;
  const answer = await deliver(source, [
    withoutMessage,
    { ...click, msg: { ...message, metadata: { user_id: 111 } } },
    { ...open, msg: { ...message, metadata: [] } },
    { ...open, msg: null },
    { ...open, event: 7 },
    {},
  ]);
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, accepted(0));
  assert.deepEqual(await summarizeQuarantined(source), []);
});

test("Mandrill: quarantines signed but unreadable events and counts the rest of the batch", async (t) => {
  const source = await serveSource(t, "mandrill", { secret });
  for (const events of [serialize([open]).slice(0, -9), "", "null", "7", serialize(open)]) {
    const answer = await deliver(source, events);
    assert.deepEqual([answer.status, answer.body.quarantined], [200, 1], events);
  }
  const nothing = await source.deliver("x=1", headersOf(signatureOf(publicUrl + source.path, { x: "1" })));
  assert.deepEqual([nothing.status, nothing.body.quarantined], [200, 1]);
  const answer = await deliver(source, [
    7,
    again(open, { ts: "soon" }),
    again(open, { ts: null }),
    again(open, { _id: undefined }),
    again(open, { _id: "" }),
    again(open, { _id: 7 }),
    again(open, { msg: { ...message, email: {} } }),
    again(click, { url: null }),
  ]);
  const messages = [
    /^is not a webhook of Mailchimp Transactional: an event has to be an object$/,
    /^at: "soon" is not an ISO-8601 time/,
    /^at: is missing/,
    /^id: is missing/,
    /^id: "" is not/,
    /^id: 7 is not/,
    /^recipient: {} is not/,
    /^url: is missing/,
  ];
  const found = answer.body.problems.map((problem) => problem.message);
  assert.deepEqual(answer.body, allQuarantined("unreadable", found));
  assert.equal(found.length, messages.length);
  for (const [index, text] of messages.entries()) assert.match(found[index] ?? "", text);
  assert.deepEqual(await countsOfCampaign(source), [0, 0, 0, 0]);
  assert.equal((await deliver(source, [7, open])).body.accepted, 1);
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 0, 0]);
});

test("Mandrill: answers any invalid form with unauthorized, and a flood of fields without delay", () => {
  const text = fc.oneof(fc.string(), fc.constantFrom("%", "%E4", "&", "=", "+", "mandrill_events=[]"));
  const bodies = fc.oneof(
    fc.uint8Array(),
    fc.array(text).map((pieces) => Buffer.from(pieces.join(""))),
  );
  const signatures = fc.oneof(fc.string(), fc.base64String(), fc.constant(undefined), fc.array(fc.string()));
  fc.assert(
    fc.property(bodies, signatures, fc.oneof(fc.string(), fc.constant(undefined)), (body, given, secret) => {
      assert.throws(() => authenticate(body, given, { secret }), isUnauthorized);
    }),
  );
  const from = process.cpuUsage();
  for (const piece of ["&a", "a=&", "%", "+", "%E4", "%41"]) {
    assert.throws(() => authenticate(piece.repeat(1_000_000), "given"), isUnauthorized);
  }
  const { user } = process.cpuUsage(from);
  // CPU time does not depend on the load of the machine.
  assert.ok(user < 5_000_000, `${user} µs`);
});

test("Mandrill: parses any form as URLSearchParams encodes it", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "grapheme" }), (text, name) => {
      const fields = {
        ...(name !== "mandrill_events" && { [name]: text }),
        mandrill_events: JSON.stringify([text]),
      };
      const body = Buffer.from(formOf(fields));
      assert.deepEqual(mandrill.parseBody?.(body), [text.toWellFormed()]);
    }),
  );
});

test("Mandrill: converts any body without throwing, into no more events than it contains", () => {
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom("", "Robot", true, 1e300, -1, "1781521500"));
  const mutated = fc
    .tuple(
      fc.constantFrom(open, click),
      fc.dictionary(fc.constantFrom(...Object.keys(click)), value),
      fc.dictionary(fc.constantFrom(...Object.keys(message)), value),
      fc.dictionary(fc.constantFrom("type", "mobile"), value),
    )
    .map(([event, changed, msg, agent]) => [
      { ...event, msg: { ...message, ...msg }, user_agent_parsed: { ...parsed, ...agent }, ...changed },
    ]);
  const bodies = fc.oneof(
    fc.uint8Array(),
    fc.string().map((text) => Buffer.from(`mandrill_events=${text}`)),
    fc
      .oneof(fc.jsonValue(), mutated)
      .map((events) => Buffer.from(formOf({ mandrill_events: serialize(events) }))),
  );
  fc.assert(
    fc.property(bodies, fc.constantFrom("campaign_id", "tags", "__proto__", ""), (body, campaignField) => {
      const kind = { name: "ingest_webhook", provider: "mandrill", campaignField } as const;
      assert.ok(parseWebhookBatch(body, kind).events.length <= 20);
    }),
    { numRuns: randomCases(200) },
  );
});
