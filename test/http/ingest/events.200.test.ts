// POST /ingest/v1/events: accepted formats and deduplication.

import assert from "node:assert/strict";
import test from "node:test";
import { gzipSync } from "node:zlib";
import { pick } from "../../support/pick.ts";
import { accepted, event, eventsPath, serveSender } from "../../support/serve-sender.ts";
import { sqliteTest } from "../../support/sqlite-test.ts";

const lines = (...events: unknown[]) => events.map((each) => JSON.stringify(each)).join("\n");
const ndjson = { "content-type": "application/x-ndjson" };
const packed = { "content-encoding": "gzip" };

test("has counted events when the response arrives, and reports how many", async (t) => {
  const { service, ingestKey, key } = await serveSender(t, { register: {} });
  const before = await service.get("/data_api/v1/emails", { key });
  const { status, text, headers } = await service.send(eventsPath, {
    key: ingestKey,
    body: { events: [event(), event({ recipient: "bob@example.com" })] },
  });
  assert.equal(text, '{"accepted":2,"repeated":0,"quarantined":0,"problems":[]}');
  assert.equal(status, 200);
  assert.equal(headers.get("content-type"), "application/json; charset=utf-8");
  const known = { "if-none-match": before.headers.get("etag") ?? "" };
  const after = await service.get("/data_api/v1/emails", { key, headers: known });
  assert.deepEqual([after.status, after.body.emails[0]?.unique_opens], [200, 2]);
});

test("deduplicates an event id within and across batches, even if the other fields differ", async (t) => {
  const { post, numbers } = await serveSender(t, { register: { external_id: "weekly" } });
  const first = event();
  const others = [
    { ...first },
    { ...first, at: "2026-06-15T11:30:00Z", user_agent: "other", unknown: 1 },
    { ...first, recipient: "bob@example.com" },
    { ...first, type: "click", url: "https://example.com" },
    { ...first, campaign_id: "weekly" },
    // A repeated id is recognized even if the event is unreadable or looks like a test send.
    { ...first, at: "2026-06-15T10:00:00Z" },
    { ...first, type: "nonsense" },
    { id: first.id, campaign_id: 1 },
  ];
  assert.deepEqual((await post([first, ...others])).body, {
    accepted: 1,
    repeated: 8,
    quarantined: 0,
    problems: [],
  });
  for (const other of others) {
    const { body } = await post([other]);
    assert.deepEqual(body, { accepted: 0, repeated: 1, quarantined: 0, problems: [] }, JSON.stringify(other));
  }
  assert.deepEqual(await numbers("unique_opens", "total_opens", "total_clicks"), [1, 1, 0]);
});

test("treats the same event id in two campaigns as two events", async (t) => {
  const { service, key, put, post } = await serveSender(t, { register: {} });
  await put(2);
  const { body } = await post([event({ id: "a" }), event({ id: "a", campaign_id: 2 }), event({ id: "A" })]);
  assert.deepEqual(body, accepted(3));
  const { emails } = await service.emails(key);
  assert.deepEqual(pick(emails, "id", "total_opens"), [
    [2, 1],
    [1, 2],
  ]);
});

test("finds the campaign of an event by its id as a number, or its external id as a string of digits", async (t) => {
  const { service, key, put, post } = await serveSender(t, { register: { external_id: "2" } });
  await put(2, { external_id: "b7e0 ü/ß" });
  await put(3);
  const { body } = await post([
    event({ campaign_id: 1 }),
    event({ campaign_id: "2" }),
    event({ campaign_id: "2" }),
    event({ campaign_id: 2 }),
    event({ campaign_id: "b7e0 ü/ß" }),
    event({ campaign_id: 3 }),
  ]);
  assert.deepEqual(body, accepted(6));
  const { emails } = await service.emails(key);
  assert.deepEqual(pick(emails, "id", "total_opens"), [
    [3, 1],
    [2, 2],
    [1, 3],
  ]);
});

sqliteTest("accepts events as JSON or NDJSON, each with or without gzip", async (t) => {
  const sent = await serveSender(t, { register: {} });
  const { postRaw } = sent;
  const json = () => JSON.stringify({ events: [event(), event()] });
  const forms: [body: string | Uint8Array, headers: Record<string, string>][] = [
    [json(), {}],
    [json(), { "content-type": "application/json; charset=utf-8" }],
    [json(), { "content-type": "Application/JSON" }],
    [json(), { "content-encoding": "identity" }],
    [`\n ${json()} \r\n`, {}],
    [`\ufeff${json()}`, {}],
    [gzipSync(json()), packed],
    [gzipSync(json()), { "content-encoding": "x-gzip" }],
    // Two concatenated gzip members are valid gzip.
    [Buffer.concat([gzipSync('{"events":['), gzipSync(`${lines(event())},${lines(event())}]}`)]), packed],
    [lines(event(), event()), ndjson],
    [lines(event(), event()), { "content-type": "application/ndjson" }],
    [`${lines(event(), event())}\n`, ndjson],
    [`\n\n${lines(event())}\r\n  \r\n\t\n${lines(event())}\r\n`, ndjson],
    [`\ufeff${lines(event())}\n\ufeff${lines(event())}`, ndjson],
    [gzipSync(`\ufeff${lines(event(), event())}`), { ...ndjson, ...packed }],
  ];
  for (const [body, headers] of forms) {
    const { status, body: answer } = await postRaw(body, headers);
    assert.deepEqual([status, answer], [200, accepted(2)], `${JSON.stringify(headers)} ${body.slice(0, 20)}`);
  }
  assert.deepEqual(await sent.numbers("total_opens"), [2 * forms.length]);
});

sqliteTest("accepts a batch without events", async (t) => {
  const sent = await serveSender(t);
  const { postRaw } = sent;
  for (const [body, headers] of [
    ['{"events":[]}', {}],
    ["", ndjson],
    ["\n \n", ndjson],
    [gzipSync(""), { ...ndjson, ...packed }],
  ] as const) {
    const { status, body: answer } = await postRaw(body, headers);
    assert.deepEqual([status, answer], [200, accepted(0)]);
  }
});

sqliteTest("accepts a body of exactly 5 MiB, and one that decompresses to exactly 50 MiB", async (t) => {
  const sent = await serveSender(t, { register: {} });
  const text = JSON.stringify({ events: [event()] });
  const { postRaw } = sent;
  assert.deepEqual((await postRaw(text.padEnd(5 * 1024 * 1024))).body, accepted(1));
  const large = gzipSync(JSON.stringify({ events: [event()] }).padEnd(50 * 1024 * 1024));
  assert.deepEqual((await postRaw(large, packed)).body, accepted(1));
});

test("counts a batch with events of many campaigns for each of them", async (t) => {
  const { service, key, put, post } = await serveSender(t);
  for (let id = 1; id <= 30; id++) await put(id);
  const events = Array.from({ length: 30 * 31 }, (_, index) =>
    event({ campaign_id: (index % 30) + 1, recipient: `r-${index}` }),
  );
  const some = events.filter((_, index) => index < 30 * ((index % 30) + 1));
  assert.deepEqual((await post(some)).body, accepted(465));
  const { emails } = await service.emails(key, "?per_page=100");
  const expected = Array.from({ length: 30 }, (_, index) => [30 - index, 30 - index]);
  assert.deepEqual(pick(emails, "id", "unique_opens"), expected);
});

test("replaces a time more than five minutes in the future by the time of arrival, and reports it", async (t) => {
  const { post, numbers } = await serveSender(t, { register: {} });
  const rating = { type: "survey", survey_id: "s", kind: "enps" };
  const { body } = await post([
    event({ ...rating, score: 4, at: "2026-06-15T12:05:00.000Z" }),
    event({ ...rating, score: 6, at: "2026-06-15T12:05:00.001Z" }),
    event({ ...rating, score: 8, at: "2099-01-01T00:00:00Z", recipient: "bob@example.com" }),
  ]);
  const message =
    "The time is more than 5 minutes in the future. The event is counted with the time of its arrival.";
  assert.deepEqual(body, {
    ...accepted(3),
    problems: [
      { index: 1, reason: "time_ahead", message },
      { index: 2, reason: "time_ahead", message },
    ],
  });
  // The rating 6 counts at its time of arrival, noon, so the rating 4 is the later one.
  assert.deepEqual(await numbers("enps_reactions_count", "enps_score_average"), [2, 6]);
});

sqliteTest("counts events without unknown fields, which it names, and without null values", async (t) => {
  const { post, numbers } = await serveSender(t, { register: {} });
  const nothing = { url: null, seconds: null, user_agent: null, ip: null, device: null, machine: null };
  const { body } = await post([
    event({ ...nothing, sg_message_id: "x", category: ["a"], score: 99, subject: {} }),
    event({ ...nothing, type: "click", url: "https://example.com", hidden: null, seconds: "long" }),
  ]);
  const problem = (index: number, of: string) => ({
    ...{ index, reason: "unused_fields" },
    message: `The type ${of}. The event is counted without it.`,
  });
  assert.deepEqual(body, {
    ...accepted(2),
    problems: [
      problem(0, 'open has no field "sg_message_id", "category", "score", "subject"'),
      problem(1, 'click has no field "seconds"'),
    ],
  });
  assert.deepEqual(await numbers("total_opens", "total_clicks"), [1, 1]);
});
