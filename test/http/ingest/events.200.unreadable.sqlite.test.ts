// POST /ingest/v1/events: unreadable events and their corrections.

import assert from "node:assert/strict";
import test from "node:test";
import {
  accepted,
  allQuarantined,
  event,
  serveSender,
  summarizeQuarantined,
} from "../../support/serve-sender.ts";

const unknown =
  "There is no campaign with this id (or external_id, if campaign_id is text). The event is counted once the campaign is registered.";

test("quarantines an unreadable event, and counts it once it is corrected", async (t) => {
  const sent = await serveSender(t, { register: { external_id: "weekly" } });
  const { post, numbers } = sent;
  const good = [
    event(),
    event({ type: "click", url: "https://example.com" }),
    event({ type: "read", seconds: 5 }),
    event({ campaign_id: "weekly" }),
  ];
  const bad = good.map((each) => ({ ...each, at: "yesterday" }));
  const message = '"yesterday" is not an ISO-8601 time with Z or an offset, such as 2026-01-31T09:00:00Z';
  const problem = `at: ${message}`;
  const expected = allQuarantined("unreadable", [problem, problem, problem, problem]);
  assert.deepEqual((await post(bad)).body, expected);
  assert.deepEqual(await numbers("total_opens"), [0]);
  assert.deepEqual(await summarizeQuarantined(sent), [[1, "unreadable", 4]]);
  assert.deepEqual((await post(good)).body, accepted(4));
  assert.deepEqual(await summarizeQuarantined(sent), []);
  assert.deepEqual(await numbers("total_opens", "total_clicks", "read_time_skimmed"), [2, 1, 100]);
  assert.deepEqual((await post(bad)).body, { accepted: 0, repeated: 4, quarantined: 0, problems: [] });
});

test("counts a corrected event when it names its campaign by the other id", async (t) => {
  const sent = await serveSender(t, { register: { external_id: "weekly" } });
  const [a, b] = [event(), event({ campaign_id: "weekly" })];
  await sent.post([
    { ...a, at: 5 },
    { ...b, at: 5 },
  ]);
  const mended = [
    { ...a, campaign_id: "weekly" },
    { ...b, campaign_id: 1 },
  ];
  assert.deepEqual((await sent.post(mended)).body, accepted(2));
  assert.deepEqual(await summarizeQuarantined(sent), []);
});

test("accepts an unreadable event and its correction in one batch, in either order", async (t) => {
  const sent = await serveSender(t, { register: {} });
  const [a, b] = [event(), event()];
  const { body } = await sent.post([{ ...a, at: 5 }, a, b, { ...b, at: 5 }]);
  const message = "at: 5 is not an ISO-8601 time with Z or an offset, such as 2026-01-31T09:00:00Z";
  assert.deepEqual(body, {
    accepted: 2,
    repeated: 1,
    quarantined: 1,
    problems: [{ index: 0, reason: "unreadable", message }],
  });
  assert.deepEqual(await sent.numbers("total_opens"), [2]);
  assert.deepEqual(await summarizeQuarantined(sent), []);
});

test("counts an event that is corrected before its campaign is registered", async (t) => {
  const sent = await serveSender(t);
  const good = event();
  await sent.post([{ ...good, type: "nonsense" }]);
  assert.deepEqual(await summarizeQuarantined(sent), [[1, "unreadable", 1]]);
  assert.deepEqual((await sent.post([good])).body, allQuarantined("unknown_campaign", [unknown]));
  assert.deepEqual(await summarizeQuarantined(sent), [[1, "unknown_campaign", 1]]);
  await sent.put(1);
  assert.deepEqual(await sent.numbers("total_opens"), [1]);
});

test("never counts an unreadable event with any tracking type or after any change", async (t) => {
  for (const tracking of ["Individual", "Anonymous", "Overall"]) {
    const sent = await serveSender(t, { register: { tracking_type: tracking } });
    const { put, post, numbers } = sent;
    const { body } = await post([
      event({ recipient: undefined }),
      event({ recipient: " \t " }),
      event({ recipient: 5 }),
      event({ recipient: "x".repeat(501) }),
      event({ at: undefined }),
      event({ id: undefined }),
      event({ machine: {} }),
      event({ device: ["mobile"] }),
      event({ type: "click", url: "https://example.com", hidden: {} }),
      event({ ip: 5 }),
      event({ user_agent: "x".repeat(8_193) }),
    ]);
    assert.deepEqual([body.accepted, body.quarantined], [0, 11], tracking);
    await put(1, { tracking_type: tracking, subject: "Other" });
    assert.deepEqual(await numbers("subject", "total_opens"), ["Other", 0], tracking);
    assert.deepEqual(await summarizeQuarantined(sent), [[1, "unreadable", 11]], tracking);
  }
});

test("quarantines values that are not events, and counts the others", async (t) => {
  const sent = await serveSender(t, { register: {} });
  const things = [null, true, 5, "text", [], [event()], { campaign_id: 0 }, { campaign_id: ["1"] }];
  const { body } = await sent.post([...things, event()]);
  assert.deepEqual([body.accepted, body.repeated, body.quarantined], [1, 0, 8]);
  assert.deepEqual(
    body.problems.slice(0, 6),
    ["null", "true", "5", '"text"', "[]", JSON.stringify([things[5]?.[0 as never]]).slice(0, 100)].map(
      (text, index) => ({
        index,
        reason: "unreadable",
        message: `event: ${index === 5 ? `${text}…` : text} is not an object`,
      }),
    ),
  );
});

test("quarantines a line that is not JSON, and counts the lines around it", async (t) => {
  const sent = await serveSender(t, { register: {} });
  const { status, body } = await sent.postRaw(
    `${JSON.stringify(event())}\n{"id": "cut\n\n${JSON.stringify(event())}\nplain text`,
    { "content-type": "application/x-ndjson" },
  );
  assert.deepEqual([status, body.accepted, body.repeated, body.quarantined], [200, 2, 0, 2]);
  assert.deepEqual(body.problems, [
    { index: 1, reason: "unreadable", message: "is not valid JSON" },
    { index: 3, reason: "unreadable", message: "is not valid JSON" },
  ]);
});

test("quarantines an event that is nested too deeply", async (t) => {
  const sent = await serveSender(t, { register: {} });
  const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
  const { at: _, ...rest } = event();
  const answer = await sent.postRaw(
    `{"events":[${deep},{"at":${deep},${JSON.stringify(rest).slice(1)},${JSON.stringify(event())}]}`,
  );
  assert.deepEqual([answer.status, answer.body.accepted, answer.body.quarantined], [200, 1, 2]);
  assert.deepEqual(await sent.numbers("total_opens"), [1]);
});

test("counts no replayed event whose invalid value was not stored", async (t) => {
  const sent = await serveSender(t);
  const { put, post, numbers } = sent;
  // Without the device it would be a valid event.
  await post([
    event({ device: { kind: "desktop" } }),
    event({ ip: ["192.0.2.1"], recipient: "bob@example.com" }),
  ]);
  assert.deepEqual(await summarizeQuarantined(sent), [[1, "unreadable", 2]]);
  await put(1);
  assert.deepEqual(await numbers("total_opens"), [0]);
  assert.deepEqual(await summarizeQuarantined(sent), [[1, "unreadable", 2]]);
});
