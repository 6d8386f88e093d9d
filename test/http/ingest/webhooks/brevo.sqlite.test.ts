// Webhooks of Brevo.

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { brevo } from "../../../../src/providers/brevo.ts";
import { tamper } from "../../../support/events.ts";
import { randomCases } from "../../../support/random-cases.ts";
import { accepted, summarizeQuarantined } from "../../../support/sending.ts";
import { countsOfCampaign, serveSource } from "../../../support/webhooks.ts";

/** 2026-06-15T11:05:00Z plus the given seconds. */
const secondsAt = (later = 0) => Date.UTC(2026, 5, 15, 11, 5) / 1000 + later;
const times = (later = 0) => ({
  ts: secondsAt(later),
  ts_event: secondsAt(later),
  ts_epoch: secondsAt(later) * 1000 + 286,
});

/** The example "First Opening" of developers.brevo.com/docs/transactional-webhooks, with a campaign. */
const firstOpen = {
  event: "unique_opened",
  email: "example@domain.com",
  id: 948562,
  // In the time zone of the account.
  date: "2026-06-15 04:05:00",
  ...times(),
  "message-id": "<201798300811.5787683@relay.domain.com>",
  subject: "My first Transactional",
  "X-Mailin-custom": '{"campaign_id": "1"}',
  sending_ip: "203.0.113.7",
  template_id: 22,
  tags: ["transac_messages"],
  tag: '["transac_messages"]',
  user_agent: "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148",
  device_used: "MOBILE",
  mirror_link: "https://app-smtp.brevo.com/log/preview/1a2000f4-4e33-23aa-ab68-900dxxx9152c",
  contact_id: 8,
  link: "",
};

/** The example "Clicked" of the same page. */
const click = { ...firstOpen, event: "click", ...times(60), link: "https://domain.com/product" };

/** The example "Unique Proxy Open" of the same page: Apple's Mail Privacy Protection. */
const proxyOpen = {
  id: 25290,
  email: "example@domain.com",
  "message-id": "an#2705147202202651768",
  date: "2026-06-15 13:05:00",
  tags: ["this_tag", "tag_thos"],
  tag: '["this_tag", "tag_thos"]',
  event: "unique_proxy_open",
  subject: "this is required subject",
  sending_ip: "::",
  ...times(),
  template_id: 660,
  link: "",
  sender_email: "abc@sendinblue.com",
  mirror_link: "https://app-smtp.brevo.com/log/preview/1a2000f4-4e33-23aa-ab68-900dxxx9152c",
  user_agent: "Mozilla/5.0",
  device_used: "DESKTOP",
  contact_id: 4816445,
  "X-Mailin-custom": "campaign_id:1",
};

/** The example "Clicked" of developers.brevo.com/docs/marketing-webhooks; `ts` is an hour off there. */
const marketingClick = {
  id: 123,
  camp_id: 1,
  email: "example@domain.com",
  "campaign name": "My First Campaign",
  date_sent: "2026-06-15 13:00:00",
  date_event: "2026-06-15 13:05:00",
  event: "click",
  segment_ids: [1, 10],
  tag: "",
  ts_sent: secondsAt(-300),
  ts_event: secondsAt(),
  ts: secondsAt(3600),
  URL: "https://myCampaignUrl.net",
};

const eventsOf = (given: object, campaignField = "campaign_id") =>
  brevo.convertEvent(given as Record<string, unknown>, campaignField);

test("Brevo: counts a first open and a click with their UTC time and the device of the user agent", async (t) => {
  const source = await serveSource(t, "brevo");
  const { deliver, numbers } = source;
  const answer = await deliver(firstOpen);
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, accepted(1));
  assert.deepEqual((await deliver(click)).body, accepted(1));
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 1, 0]);
  assert.deepEqual(await numbers("mobile_open_rate", "desktop_open_rate"), [100, 0]);
  assert.equal(eventsOf(firstOpen)[0]?.at, "2026-06-15T11:05:00.000Z");
});

test("Brevo: reads ts_epoch or s_epoch rather than ts_event, which may be in another time zone", () => {
  const atOf = (given: object) => eventsOf({ ...firstOpen, ts_epoch: undefined, ...given })[0]?.at;
  const late = secondsAt(-9 * 3600);
  const epoch = secondsAt() * 1000 + 286;
  for (const given of [
    { ts_event: late, ts_epoch: epoch },
    { ts_event: late, ts_epoch: secondsAt() },
    { ts_event: late, s_epoch: epoch },
    { ts_event: undefined, s_epoch: String(epoch) },
    { ts_event: secondsAt(), ts_epoch: null, s_epoch: "" },
  ]) {
    assert.equal(atOf(given), "2026-06-15T11:05:00.000Z", JSON.stringify(given));
  }
  const idOf = (given: object) => eventsOf({ ...click, ...given })[0]?.id;
  assert.equal(idOf({ ts_epoch: undefined, s_epoch: click.ts_epoch }), idOf({}));
});

test("Brevo: counts a batch once, however often it is sent", async (t) => {
  const source = await serveSource(t, "brevo");
  const later = { ...firstOpen, event: "opened", ...times(600) };
  const other = { ...firstOpen, email: "other@domain.com" };
  const batch = [firstOpen, later, other, click, { ...click, link: "https://domain.com/other" }];
  assert.deepEqual((await source.deliver(batch)).body, accepted(5));
  assert.deepEqual(await countsOfCampaign(source), [2, 1, 1, 1]);
  assert.deepEqual((await source.deliver(batch)).body, { ...accepted(0), repeated: 5 });
  for (const each of batch) assert.equal((await source.deliver(each)).body.repeated, 1);
  assert.deepEqual(await countsOfCampaign(source), [2, 1, 1, 1]);
});

test("Brevo: counts an open once when it arrives under both of its names", async (t) => {
  const source = await serveSource(t, "brevo");
  const opened = { ...firstOpen, event: "opened", ts_epoch: firstOpen.ts_epoch + 40 };
  assert.deepEqual((await source.deliver([firstOpen, opened])).body, { ...accepted(1), repeated: 1 });
  const { ts_event: _, ...older } = opened;
  assert.equal((await source.deliver(older)).body.repeated, 1);
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 0, 0]);
});

test("Brevo: distinguishes events by message, recipient, second and link, and clicks by millisecond", () => {
  const idOf = (given: object) => eventsOf(given)[0]?.id;
  const others = [
    firstOpen,
    { ...firstOpen, "message-id": "<2@relay.domain.com>" },
    { ...firstOpen, email: "other@domain.com" },
    { ...firstOpen, ...times(1) },
    { ...firstOpen, event: "proxy_open" },
    { ...firstOpen, event: "click" },
    click,
    { ...click, ts_epoch: click.ts_epoch + 1 },
    { ...click, link: "https://domain.com/other" },
    { ...click, "message-id": undefined, camp_id: 1 },
    { ...click, "message-id": undefined, camp_id: 2 },
  ];
  assert.equal(new Set(others.map(idOf)).size, others.length);
});

test("Brevo: counts a proxy open as automated under both names, without a device", async (t) => {
  const source = await serveSource(t, "brevo");
  const { user_agent: _, ...withoutAgent } = proxyOpen;
  const batch = [
    proxyOpen,
    { ...proxyOpen, event: "proxy_open", ...times(30) },
    { ...withoutAgent, ...times(60) },
  ];
  assert.deepEqual((await source.deliver(batch)).body, accepted(3));
  assert.deepEqual(await countsOfCampaign(source), [0, 0, 0, 0]);
  for (const each of batch) {
    const [event] = eventsOf(each);
    assert.deepEqual([event?.machine, event?.device, event?.ip], [true, undefined, undefined]);
  }
});

test("Brevo: classifies Gmail's proxy by its user agent and ignores the device that Brevo reports", async (t) => {
  const source = await serveSource(t, "brevo");
  const user_agent =
    "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)";
  await source.deliver({ ...firstOpen, user_agent, device_used: "DESKTOP" });
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 0, 0]);
  const rates = ["desktop_open_rate", "mobile_open_rate"];
  assert.deepEqual(await source.numbers(...rates), [0, 0]);
  const { user_agent: _, ...withoutAgent } = { ...firstOpen, email: "other@domain.com" };
  await source.deliver({ ...withoutAgent, device_used: "DESKTOP" });
  assert.deepEqual(await source.numbers(...rates), [100, 0]);
  await source.deliver({ ...withoutAgent, email: "third@domain.com" });
  assert.deepEqual(await source.numbers(...rates), [50, 50]);
});

test("Brevo: ignores an invalid user agent, and does not count the click of a scanner", async (t) => {
  const source = await serveSource(t, "brevo");
  assert.deepEqual((await source.deliver({ ...firstOpen, user_agent: 7, sending_ip: {} })).body, accepted(1));
  await source.deliver({ ...click, user_agent: "Barracuda Sentinel (EE)" });
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 0, 0]);
});

test("Brevo: reads camp_id and URL of a marketing campaign", async (t) => {
  const source = await serveSource(t, "brevo", { campaignField: "camp_id" });
  const opened = { ...marketingClick, event: "opened", URL: undefined };
  const batch = [
    opened,
    marketingClick,
    { ...opened, event: "proxy_open", email: "apple@domain.com" },
    { ...marketingClick, camp_id: 2 },
  ];
  const answer = await source.deliver(batch);
  assert.equal(answer.body.accepted, 3);
  assert.deepEqual(
    answer.body.problems.map(({ index, reason }) => [index, reason]),
    [[3, "unknown_campaign"]],
  );
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 1, 0]);
  assert.equal(eventsOf(marketingClick)[0]?.at, "2026-06-15T11:05:00.000Z");
});

test("Brevo: reads the campaign from X-Mailin-custom as JSON or pairs, from tags, or from any other field", () => {
  const campaignOf = (given: object, field?: string) =>
    eventsOf({ ...firstOpen, ...given }, field)[0]?.campaign_id;
  const header = (text: unknown) => ({ "X-Mailin-custom": text });
  for (const [given, expected] of [
    ['{"campaign_id": 7}', 7],
    [' {"a": {"campaign_id": 2}, "campaign_id": " weekly "}', "weekly"],
    ["campaign_id:7", 7],
    ["language:en | campaign_id : a:b|campaign_id:8", "a:b"],
    ['{"campaign_id": {"id": 7}}', undefined],
    ['{"campaign_id": 7', undefined],
    ['{"__proto__": {"campaign_id": 7}}', undefined],
    ["xcampaign_id:7|campaign_id", undefined],
    ["", undefined],
    [["campaign_id:7"], undefined],
    [null, undefined],
  ] as const) {
    assert.equal(campaignOf(header(given)), expected, JSON.stringify(given));
  }
  for (const [field, given, expected] of [
    ["tags", {}, "transac_messages"],
    ["tags", { tags: ["7"] }, 7],
    ["tags", { tags: [] }, undefined],
    ["tag", {}, "transac_messages"],
    ["tag", { tag: "weekly" }, "weekly"],
    ["tag", { tag: "[draft" }, "[draft"],
    ["tag", { tag: "[]" }, undefined],
    ["template_id", {}, 22],
    ["subject", { subject: "[1]" }, "[1]"],
    ["X-Mailin-custom", header("weekly"), "weekly"],
    ["constructor", {}, undefined],
  ] as const) {
    assert.equal(campaignOf(given, field), expected, `${field} ${JSON.stringify(given)}`);
  }
});

test("Brevo: reads times only from the UTC fields, in seconds or milliseconds", () => {
  const at = (given: object) =>
    eventsOf({ ...firstOpen, ts_event: undefined, ts_epoch: undefined, ...given })[0]?.at;
  assert.equal(at({ ts_event: secondsAt() }), "2026-06-15T11:05:00.000Z");
  assert.equal(at({ ts_event: String(secondsAt()) }), "2026-06-15T11:05:00.000Z");
  assert.equal(at({ ts_epoch: secondsAt() }), "2026-06-15T11:05:00.000Z");
  assert.equal(at({ ts_epoch: secondsAt() * 1000 + 999 }), "2026-06-15T11:05:00.000Z");
  assert.equal(at({ ts_event: null, ts_epoch: secondsAt() }), "2026-06-15T11:05:00.000Z");
  assert.equal(at({}), undefined);
});

test("Brevo: acknowledges and ignores other event types and other mail of the account", async (t) => {
  const source = await serveSource(t, "brevo");
  const others = [
    ...["request", "delivered", "soft_bounce", "unsubscribed", "list_addition", "toString"].map((event) => ({
      ...firstOpen,
      event,
    })),
    { ...firstOpen, "X-Mailin-custom": "some_custom_header" },
    marketingClick,
    { event: "contact_deleted", email: ["example@domain.com"], id: 1, ts: 1 },
  ];
  const answer = await source.deliver(others);
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, accepted(0));
  for (const other of others) assert.deepEqual((await source.deliver(other)).body, accepted(0));
  assert.deepEqual(await summarizeQuarantined(source), []);
});

test("Brevo: requires the secret as password or token", async (t) => {
  const source = await serveSource(t, "brevo", { secret: "s3cret" });
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString("base64")}` });
  const wrong: Record<string, string>[] = [{}, basic("any:other"), { authorization: "Bearer s3cre" }];
  for (const headers of wrong) {
    const answer = await source.deliver(firstOpen, headers);
    assert.deepEqual([answer.status, answer.body.error], [401, "unauthorized"]);
  }
  assert.deepEqual(await countsOfCampaign(source), [0, 0, 0, 0]);
  assert.equal((await source.deliver(firstOpen, basic("any:s3cret"))).status, 200);
  assert.equal((await source.deliver(click, { authorization: "Bearer s3cret" })).status, 200);
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 1, 0]);
});

test("Brevo: quarantines unreadable events instead of refusing them", async (t) => {
  const source = await serveSource(t, "brevo");
  for (const body of [
    JSON.stringify(firstOpen).slice(0, -20),
    {},
    { events: [firstOpen] },
    "7",
    "null",
    [7],
    ["opened"],
  ]) {
    const answer = await source.deliver(body);
    assert.deepEqual([answer.status, answer.body.quarantined], [200, 1], JSON.stringify(body));
  }
  const unread = async (given: object) =>
    (await source.deliver([{ ...firstOpen, ...given }])).body.problems[0]?.message ?? "";
  assert.match(
    await unread({ ts_event: "2026-06-15 11:05:00", ts_epoch: undefined }),
    /^at: "2026-06-15 11:05:00" is not an ISO-8601/,
  );
  assert.match(await unread({ ts_event: undefined, ts_epoch: undefined }), /^at: is missing/);
  assert.match(await unread({ email: "" }), /^recipient: "" is not text/);
  assert.match(await unread({ "message-id": undefined }), /^id: is missing/);
  assert.match(await unread({ event: "click", link: "" }), /^url: "" is not text/);
  assert.deepEqual(await countsOfCampaign(source), [0, 0, 0, 0]);
});

test("Brevo: converts any document without throwing, into one event at most", () => {
  const keys = [...Object.keys(firstOpen), "event", "camp_id", "URL", "campaign_id"];
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(...kindsAndTexts),
    fc.double({ noNaN: true }),
    fc.json(),
  );
  const mutated = fc
    .dictionary(fc.constantFrom(...keys), value)
    .map((change) => ({ ...firstOpen, ...change }));
  fc.assert(
    fc.property(
      fc.oneof(fc.jsonValue(), mutated, fc.array(mutated)),
      fc.constantFrom(...fields),
      (document, field) => {
        for (const given of brevo.listEvents(document) ?? []) {
          if (typeof given !== "object" || given === null || Array.isArray(given)) continue;
          const events = brevo.convertEvent(given as Record<string, unknown>, field);
          assert.ok(events.length <= 1);
        }
      },
    ),
    { numRuns: randomCases(200) },
  );
});

const kindsAndTexts = [
  "opened",
  "click",
  "proxy_open",
  "{",
  "[",
  "a:b|c",
  '{"campaign_id":',
  "::",
  "DESKTOP",
];
const fields = ["campaign_id", "tag", "tags", "camp_id", "X-Mailin-custom", "__proto__"];

test("Brevo: answers 429 when the queue is full, because Brevo discards events after a 503", async (t) => {
  const source = await serveSource(t, "brevo", { maxQueueBytes: 1_000 });
  const release = source.writer.reserve(source.organization.id, 1_000);
  const answer = await source.deliver(firstOpen);
  assert.deepEqual([answer.status, answer.body.error], [429, "too_many_requests"]);
  assert.equal(answer.headers.get("retry-after"), "5");
  release();
  assert.equal((await source.deliver(firstOpen)).status, 200);
  assert.deepEqual(await countsOfCampaign(source), [1, 0, 0, 0]);
});

test("Brevo: answers 429 when the service fails before it knows the source", async (t) => {
  const source = await serveSource(t, "brevo");
  const { world } = source;
  await tamper(world, "alter table sources rename to mislaid");
  const answer = await source.deliver(firstOpen);
  assert.deepEqual([answer.status, answer.body.error], [429, "too_many_requests"]);
  assert.ok(source.service.log().includes("request failed"));
  await tamper(world, "alter table mislaid rename to sources");
  assert.equal((await source.deliver(firstOpen)).status, 200);
});
