// POST /ingest/v1/events: events that cannot be counted, or not yet.

import assert from "node:assert/strict";
import test from "node:test";
import { dayMs } from "../../../src/campaign/calendar/durations.ts";
import { pick } from "../../support/pick.ts";
import {
  accepted,
  allQuarantined,
  event,
  serveSender,
  summarizeQuarantined,
} from "../../support/serve-sender.ts";
import { campaign } from "../../support/world.ts";

const unknown =
  "There is no campaign with this id (or external_id, if campaign_id is text). The event is counted once the campaign is registered.";
const testSending =
  "The event is more than 10 minutes earlier than the campaign's sent_at, so it belongs to a test send.";

test("quarantines events of an unknown campaign, and counts them in the very next response once it is registered", async (t) => {
  const sent = await serveSender(t);
  const { put, post, numbers } = sent;
  const click = event({ type: "click", url: "https://example.com", recipient: "bob@example.com" });
  const { body } = await post([
    event(),
    click,
    event({ campaign_id: "weekly", recipient: "cat@example.com" }),
  ]);
  assert.deepEqual(body, allQuarantined("unknown_campaign", [unknown, unknown, unknown]));
  assert.deepEqual(await numbers("id"), [undefined]);
  assert.deepEqual(await summarizeQuarantined(sent), [
    ["weekly", "unknown_campaign", 1],
    [1, "unknown_campaign", 2],
  ]);
  await put(1);
  assert.deepEqual(await numbers("unique_opens", "total_clicks"), [2, 1]);
  await put(1, { external_id: "weekly" });
  assert.deepEqual(await numbers("unique_opens", "total_clicks"), [3, 1]);
  assert.deepEqual(await summarizeQuarantined(sent), []);
  assert.deepEqual((await post([click])).body, { accepted: 0, repeated: 1, quarantined: 0, problems: [] });
});

test("deduplicates a quarantined event that is sent again, and counts the first version", async (t) => {
  const sent = await serveSender(t);
  const { put, post, numbers } = sent;
  const first = event({ type: "click", url: "https://example.com" });
  await post([first, first, { ...first, type: "open" }]);
  await post([{ ...first, type: "open" }]);
  assert.deepEqual(await summarizeQuarantined(sent), [[1, "unknown_campaign", 1]]);
  await put(1);
  assert.deepEqual(await numbers("total_opens", "total_clicks"), [1, 1]);
});

test("classifies a quarantined event by its arrival, not by when it is counted", async (t) => {
  const { world, put, post, numbers } = await serveSender(t);
  const [iphone, proxy] = ["Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)", "GoogleImageProxy"];
  const rating = { type: "survey", survey_id: "s", kind: "enps", recipient: "bob@example.com" };
  await post([
    event({ user_agent: iphone }),
    event({ user_agent: proxy }),
    event({ user_agent: "curl/8.0" }),
    event({ user_agent: "curl/8.0", device: "desktop", machine: true }),
    // In the future at its arrival, so it counts with its time of arrival, noon.
    event({ ...rating, score: 0, at: "2026-06-15T18:00:00Z" }),
    event({ ...rating, score: 10, at: "2026-06-15T12:00:01Z" }),
  ]);
  world.clock.now += dayMs;
  await put(1);
  assert.deepEqual(await numbers("total_opens", "mobile_open_rate", "desktop_open_rate"), [3, 100, 0]);
  assert.deepEqual(await numbers("enps_score_average"), [10]);
});

test("recognizes a recipient hash of a quarantined event with every tracking type", async (t) => {
  for (const tracking of ["Individual", "Anonymous", "Overall"]) {
    const { put, post, numbers } = await serveSender(t);
    const of = { ip: "192.0.2.1", user_agent: "The Bat! 9" };
    await post([event(of), event({ ...of, recipient: " ANN@example.com" })]);
    await put(1, { tracking_type: tracking });
    await post([event(of)]);
    assert.deepEqual(await numbers("unique_opens", "total_opens"), [1, 3], tracking);
  }
});

test("quarantines events of a campaign with imported metrics, and changes nothing", async (t) => {
  const sent = await serveSender(t);
  await sent.world.save(sent.organization, [campaign({ id: 1 })]);
  const before = await sent.record();
  const { status, body } = await sent.post([event(), event({ type: "click", url: "https://example.com" })]);
  const message = "The numbers of the campaign were imported. Events are never added to imported numbers.";
  assert.deepEqual([status, body], [200, allQuarantined("reported_campaign", [message, message])]);
  assert.deepEqual(await sent.record(), before);
  assert.deepEqual(await summarizeQuarantined(sent), [[1, "reported_campaign", 2]]);
});

test("quarantines an event more than ten minutes before its campaign as a test send, until the campaign moves", async (t) => {
  const sent = await serveSender(t, { register: {} });
  const { put, post, numbers } = sent;
  const { body } = await post([
    event({ at: "2026-06-15T10:50:00.000Z" }),
    event({ at: "2026-06-15T10:49:59.999Z" }),
    event({ at: "2026-06-15T10:40:00.000Z" }),
    event({ at: "2026-06-15T12:40:00.000+02:00" }),
    event({ at: "2020-01-01T00:00:00Z" }),
  ]);
  assert.deepEqual(body, {
    accepted: 1,
    repeated: 0,
    quarantined: 4,
    problems: [1, 2, 3, 4].map((index) => ({ index, reason: "test_sending", message: testSending })),
  });
  await put(1, { subject: "Other" });
  assert.deepEqual(await numbers("total_opens"), [1]);
  await put(1, { sent_at: "2026-06-15T10:50:00Z" });
  assert.deepEqual(await numbers("total_opens"), [4]);
  assert.deepEqual(await summarizeQuarantined(sent), [[1, "test_sending", 1]]);
});

test("quarantines events before a future campaign as test sends, until it is sent earlier", async (t) => {
  const sent = await serveSender(t, { register: { sent_at: "2026-06-15T13:00:00Z" } });
  const { body } = await sent.post([event({ at: "2026-06-15T12:00:00Z" })]);
  assert.deepEqual(body, allQuarantined("test_sending", [testSending]));
  await sent.put(1, { sent_at: "2026-06-15T11:59:00Z" });
  assert.deepEqual(await sent.numbers("total_opens"), [1]);
});

test("ignores an event without a campaign, and reports it as a problem", async (t) => {
  const sent = await serveSender(t, { register: {} });
  const { campaign_id: _, ...without } = event();
  const { status, body } = await sent.post([without, event({ campaign_id: null }), {}, event()]);
  const message = "The event has no campaign_id, so it belongs to no campaign. It is ignored.";
  assert.deepEqual(
    [status, body],
    [
      200,
      { ...accepted(1), problems: [0, 1, 2].map((index) => ({ index, reason: "no_campaign", message })) },
    ],
  );
  assert.deepEqual(await summarizeQuarantined(sent), []);
});

test("reports events of a closed campaign, and changes nothing", async (t) => {
  const sent = await serveSender(t, { register: { external_id: "weekly" } });
  const { world, organization, post, record } = sent;
  const first = event();
  await post([first]);
  await world.closeCampaign(organization, 1);
  const before = await record();
  const { status, body } = await post([
    first,
    event(),
    event({ campaign_id: "weekly" }),
    event({ at: "2026-06-15T10:00:00Z" }),
    event({ type: "nonsense" }),
  ]);
  const message = "The campaign is closed. Its numbers no longer change.";
  const problems = [0, 1, 2, 3, 4].map((index) => ({ index, reason: "closed", message }));
  assert.deepEqual([status, body], [200, { ...accepted(0), problems }]);
  assert.deepEqual(await record(), before);
  assert.deepEqual(await summarizeQuarantined(sent), []);
});

test("quarantines events of a removed campaign like those of an unknown one", async (t) => {
  const sent = await serveSender(t, { register: {} });
  const { put, post, remove } = sent;
  await post([event()]);
  await remove(1);
  assert.deepEqual((await post([event()])).body, allQuarantined("unknown_campaign", [unknown]));
  await put(1);
  assert.deepEqual(await sent.numbers("total_opens"), [1]);
});

test("keeps quarantined events with their campaign when its external id moves to another campaign", async (t) => {
  const sent = await serveSender(t, { register: { external_id: "a", sent_at: "2026-06-15T09:00:00Z" } });
  await sent.post([event({ campaign_id: "a", at: "2026-06-15T08:00:00Z" })]);
  await sent.put(1, { external_id: "b", sent_at: "2026-06-15T09:00:00Z" });
  await sent.put(2, { external_id: "a", sent_at: "2026-06-15T07:00:00Z" });
  await sent.put(1, { external_id: "b", sent_at: "2026-06-15T07:00:00Z" });
  const { emails } = await sent.service.emails(sent.key);
  assert.deepEqual(pick(emails, "id", "total_opens"), [
    [2, 0],
    [1, 1],
  ]);
});
