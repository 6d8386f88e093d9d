// Webhooks of SparkPost.

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { sparkpost } from "../../../../src/providers/sparkpost.ts";
import { randomCases } from "../../../support/random-cases.ts";
import { accepted, summarizeQuarantined } from "../../../support/sending.ts";
import { countsOfCampaign, serveSource } from "../../../support/webhooks.ts";

/** 2026-06-15T11:05:00Z plus the given seconds, as text. */
const secondsAt = (later = 0) => String(Date.UTC(2026, 5, 15, 11, 5) / 1000 + later);

/** The engagement event of developers.sparkpost.com/api/webhooks, with a campaign. */
const sample = {
  ab_test_id: "password-reset",
  ab_test_version: "1",
  amp_enabled: true,
  campaign_id: "Example Campaign Name",
  click_tracking: true,
  customer_id: "1",
  delv_method: "esmtp",
  event_id: "92356927693813856",
  friendly_from: "sender@example.com",
  geo_ip: {
    country: "US",
    region: "MD",
    city: "Columbia",
    latitude: 39.1749,
    longitude: -76.8375,
    zip: 21046,
  },
  injection_time: "2026-06-15T11:00:00.000Z",
  initial_pixel: true,
  ip_address: "18.236.253.72",
  ip_pool: "example-ip-pool",
  message_id: "000443ee14578172be22",
  msg_from: "sender@example.com",
  msg_size: "1337",
  num_retries: "2",
  open_tracking: true,
  queue_time: "12",
  rcpt_meta: { customKey: "customValue", campaign_id: "1" },
  rcpt_tags: ["male", "US"],
  rcpt_to: "recipient@example.com",
  raw_rcpt_to: "Recipient@example.com",
  rcpt_type: "cc",
  recipient_domain: "example.com",
  routing_domain: "example.com",
  sending_ip: "127.0.0.1",
  subaccount_id: "101",
  subject: "Summer deals are here!",
  template_id: "templ-1234",
  template_version: "1",
  timestamp: secondsAt(),
  transactional: "1",
  transmission_id: "65832150921904138",
  user_agent:
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_10_3) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/41.0.2272.118 Safari/537.36",
  user_agent_parsed: {
    agent_family: "Chrome",
    device_brand: "Apple",
    device_family: "Other",
    os_family: "Mac OS X",
    os_version: "10.10",
    is_mobile: false,
    is_proxy: false,
    is_prefetched: false,
  },
};

let count = 0;

/** The event in its envelope, with a new id. */
function event(type: string, given: Record<string, unknown> = {}) {
  count += 1;
  const own = { type, event_id: `9235692769381${count}`, ...given };
  return { msys: { track_event: { ...sample, ...own } }, cust: { id: "1" } };
}

const click = (given = {}) => event("click", { target_link_url: "http://example.com", ...given });

test("SparkPost: counts the opens and clicks of a batch, including those of AMP", async (t) => {
  const source = await serveSource(t, "sparkpost");
  const answer = await source.deliver([
    event("initial_open"),
    click({ target_link_name: "Example Link Name", timestamp: secondsAt(60) }),
    event("amp_initial_open", { rcpt_to: "other@example.com" }),
    event("amp_click", { rcpt_to: "other@example.com", target_link_url: "http://example.com/2" }),
  ]);
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, accepted(4));
  assert.deepEqual(await countsOfCampaign(source), [2, 0, 2, 0]);
  assert.deepEqual(await source.numbers("desktop_open_rate", "mobile_open_rate"), [100, 0]);
});

test("SparkPost: counts one open when both pixels of a message are loaded, in either order", async (t) => {
  const source = await serveSource(t, "sparkpost");
  for (const [top, bottom] of [
    ["initial_open", "open"],
    ["amp_initial_open", "amp_open"],
  ] as const) {
    const opensOf = (rcpt_to: string) => [
      event(top, { rcpt_to }),
      event(bottom, { rcpt_to }),
      event(top, { rcpt_to, timestamp: secondsAt(600) }),
    ];
    for (const each of opensOf(`${top}@example.com`)) await source.deliver([each]);
    for (const each of opensOf(`${bottom}@example.com`).reverse()) await source.deliver([each]);
  }
  assert.deepEqual(await countsOfCampaign(source), [4, 4, 0, 0]);
});

test("SparkPost: implies an open when only the bottom pixel of two is reported", async (t) => {
  const source = await serveSource(t, "sparkpost");
  await source.deliver([event("open"), event("open", { timestamp: secondsAt(600) })]);
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 0, 0]);
  assert.deepEqual(await source.numbers("read_time_glanced", "read_time_read"), [0, 0]);
});

test("SparkPost: counts the bottom pixel as the open when there is no top pixel", async (t) => {
  const source = await serveSource(t, "sparkpost");
  await source.deliver([
    event("open", { initial_pixel: false }),
    event("amp_open", { initial_pixel: undefined, timestamp: secondsAt(600), rcpt_to: undefined }),
  ]);
  assert.deepEqual(await countsOfCampaign(source), [1, 1, 0, 0]);
});

test("SparkPost: counts a repeated batch once", async (t) => {
  const source = await serveSource(t, "sparkpost");
  const batch = [event("initial_open"), event("open"), click()];
  await source.deliver(batch);
  const again = await source.deliver(batch, {
    "x-messagesystems-batch-id": "032d330540298f54f0e8bcc1373f3cfd",
  });
  assert.deepEqual(again.body, { ...accepted(0), repeated: 3 });
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 1, 0]);
});

test("SparkPost: counts a prefetch as automated and a proxy as a person", async (t) => {
  const source = await serveSource(t, "sparkpost");
  const parsed = (given: object) => ({ user_agent_parsed: { ...sample.user_agent_parsed, ...given } });
  await source.deliver([
    event("initial_open", {
      rcpt_to: "apple@example.com",
      ...parsed({ is_prefetched: true, is_mobile: true }),
    }),
    event("open", { rcpt_to: "apple@example.com", ...parsed({ is_prefetched: true }) }),
    event("initial_open", {
      rcpt_to: "google@example.com",
      user_agent: "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)",
      ...parsed({ is_proxy: true, is_mobile: true }),
    }),
  ]);
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 0, 0]);
  assert.deepEqual(await source.numbers("desktop_open_rate", "mobile_open_rate"), [0, 0]);
  const machine = event("open", parsed({ is_prefetched: true, is_mobile: true }));
  assert.equal(sparkpost.convertEvent(machine, "campaign_id")[0]?.device, undefined);
});

test("SparkPost: counts a client as mobile when SparkPost reports it, with any user agent", async (t) => {
  const source = await serveSource(t, "sparkpost");
  await source.deliver([event("initial_open", { user_agent_parsed: { is_mobile: true } })]);
  assert.deepEqual(await source.numbers("desktop_open_rate", "mobile_open_rate"), [0, 100]);
});

test("SparkPost: reads the campaign from the metadata, the campaign_id or a tag", async (t) => {
  const external_id = "Example Campaign Name";
  const source = await serveSource(t, "sparkpost", { register: { external_id } });
  await source.deliver([event("initial_open", { rcpt_meta: { customKey: "customValue" } })]);
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 0, 0]);
  const campaignIn = (field: string, rcpt_meta = {}) =>
    sparkpost.convertEvent(event("open", { rcpt_meta }), field)[0]?.campaign_id;
  assert.equal(campaignIn("campaign_id", { campaign_id: 7 }), 7);
  assert.equal(campaignIn("customKey", { customKey: "customValue" }), "customValue");
  assert.equal(campaignIn("rcpt_tags"), "male");
  assert.equal(campaignIn("constructor"), undefined);
});

test("SparkPost: acknowledges and ignores test requests, other event types and other mail", async (t) => {
  const source = await serveSource(t, "sparkpost");
  for (const other of [
    [{ msys: {} }],
    [],
    [{ msys: { message_event: { ...sample, type: "delivery" } } }],
    [{ msys: { unsubscribe_event: { ...sample, type: "list_unsubscribe" } } }],
    [{ msys: { message_event: { ...sample, type: "open" } } }],
    [event("toString")],
    // SparkPost sends only this much from the sixtieth day after sending on.
    [event("initial_open", { campaign_id: undefined, rcpt_meta: undefined, rcpt_tags: undefined })],
  ]) {
    const answer = await source.deliver(other);
    assert.deepEqual([answer.status, answer.body], [200, accepted(0)], JSON.stringify(other));
  }
  assert.deepEqual(await summarizeQuarantined(source), []);
});

test("SparkPost: requires the secret as Basic password or Bearer token", async (t) => {
  const source = await serveSource(t, "sparkpost", { secret: "mypassword" });
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString("base64")}` });
  const batch = [event("initial_open")];
  for (const headers of [
    {},
    basic("basicauthuser:other"),
    basic("mypassword"),
    { authorization: "Bearer no" },
  ]) {
    assert.equal((await source.deliver(batch, headers as Record<string, string>)).status, 401);
  }
  assert.deepEqual(await countsOfCampaign(source), [0, 0, 0, 0]);
  assert.equal((await source.deliver(batch, basic("basicauthuser:mypassword"))).status, 200);
  assert.equal((await source.deliver(batch, { authorization: "Bearer mypassword" })).status, 200);
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 0, 0]);
});

test("SparkPost: quarantines unreadable events instead of refusing them", async (t) => {
  const source = await serveSource(t, "sparkpost");
  const whole = JSON.stringify([event("initial_open")]);
  for (const body of [whole.slice(0, -20), whole.slice(1, -1), "", "null", '["event"]']) {
    const answer = await source.deliver(body);
    assert.deepEqual([answer.status, answer.body.quarantined], [200, 1], body);
  }
  const unread = async (type: string, given: Record<string, unknown>) =>
    (await source.deliver([event(type, given)])).body.problems[0]?.message ?? "";
  assert.match(
    await unread("initial_open", { timestamp: "yesterday" }),
    /^at: "yesterday" is not an ISO-8601/,
  );
  assert.match(await unread("initial_open", { timestamp: undefined }), /^at: is missing/);
  assert.match(await unread("open", { event_id: 92356927693813856 }), /^id: \d+ is not text/);
  assert.match(
    await unread("open", { rcpt_to: undefined, raw_rcpt_to: undefined }),
    /^recipient: is missing/,
  );
  assert.match(await unread("click", {}), /^url: is missing/);
  assert.deepEqual(await countsOfCampaign(source), [0, 0, 0, 0]);
});

test("SparkPost: converts any document without throwing, and each envelope into one event at most", () => {
  const keys = [...Object.keys(sample), "type", "target_link_url", "__proto__"];
  const types = ["open", "initial_open", "click", "amp_open", "constructor"];
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom<unknown>(...types, true, "NaN", -1, 1e300));
  const changes = fc.dictionary(fc.constantFrom(...keys), value);
  const mutated = changes.map((change) => ({
    msys: { track_event: { ...sample, type: "open", ...change } },
  }));
  const envelope = fc.oneof(mutated, fc.record({ msys: fc.jsonValue() }));
  const document = fc.oneof(fc.jsonValue(), fc.array(envelope));
  fc.assert(
    fc.property(document, fc.constantFrom("campaign_id", "rcpt_tags", "__proto__"), (given, field) => {
      for (const each of sparkpost.listEvents(given) ?? []) {
        if (typeof each !== "object" || each === null || Array.isArray(each)) continue;
        assert.ok(sparkpost.convertEvent(each as Record<string, unknown>, field).length <= 1);
      }
    }),
    { numRuns: randomCases(200) },
  );
});
