// The sources page: last events, warnings, and the quarantine with its replay.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { dayMs, hourMs } from "../../../../src/campaign/calendar/durations.ts";
import { startWriterThread } from "../../../../src/counting/writer/writer-thread.ts";
import type { WebSession } from "../../../../src/http/web/frame/page.ts";
import type { WebContext } from "../../../../src/http/web/frame/web-context.ts";
import { asActor, readsOf } from "../../../../src/http/web/frame/web-session.ts";
import { replay } from "../../../../src/http/web/sources/replay.ts";
import { escapeHtml } from "../../../../src/locale/html.ts";
import { locales } from "../../../../src/locale/locale.ts";
import { deleteApiKey, recordKeyUse } from "../../../../src/storage/keys/api-keys.ts";
import { addSource, listSources } from "../../../../src/storage/keys/sources.ts";
import { summarizeQuarantine } from "../../../../src/storage/quarantine/quarantine-groups.ts";
import { moveSentAtBack, open, tamper } from "../../../support/events.ts";
import { assertMatches, assertPage } from "../../../support/pages.ts";
import { makeWebWorld, makeWebWorldOf, type WebWorld } from "../../../support/web-world.ts";
import { campaign, makeWorld, present, run } from "../../../support/world.ts";

const path = "/sources";

/** An organization with a source of this provider. */
async function start(t: TestContext, provider = "sparkpost", secret?: string) {
  const web = await makeWebWorld(t);
  const { world, organization, service } = web;
  const add = ({ id: organizationId }: { id: number }, name: string) =>
    world.database.transactionOf(organizationId, (scope) =>
      addSource(scope, { provider: name, secret, campaignField: "campaign_id", now: world.clock.now }),
    );
  const { id } = await add(organization, provider);
  const deliver = async (body: unknown) => {
    const { status, text } = await service.send(`/ingest/v1/webhooks/${id}`, { body });
    assert.equal(status, 200, text);
    return JSON.parse(text) as { accepted: number; quarantined: number };
  };
  const lastEvent = async () =>
    (await world.database.snapshotOf(organization.id, listSources))[0]?.lastEventAt;
  return { ...web, id, add, deliver, lastEvent };
}

let count = 0;
/** An event as SparkPost sends it. SparkPost needs no secret. */
const opened = (campaignId: number | string | undefined, at: number) => {
  count += 1;
  const event = {
    ...{ type: "open", event_id: `event-${count}`, rcpt_to: "ann@example.com" },
    timestamp: String(Math.floor(at / 1000)),
    ...(campaignId !== undefined && { rcpt_meta: { campaign_id: String(campaignId) } }),
  };
  return [{ msys: { track_event: event } }];
};

const waiting = ({ world, organization }: Pick<WebWorld, "world" | "organization">) =>
  world.database.snapshotOf(organization.id, (scope) => summarizeQuarantine(scope, {}));

const countWaiting = async (given: WebWorld) =>
  (await waiting(given)).reduce((sum, { events }) => sum + events, 0);

const event = (id: string, campaign_id: unknown, given: Record<string, unknown> = {}) =>
  open(1, { id, campaign_id, ...given });

test("records the last event of a source with its batch, at most once a minute", async (t) => {
  const { world, organization, deliver, lastEvent, signIn } = await start(t);
  await world.register(organization, 1);
  assert.equal(await lastEvent(), undefined);
  // Batches without events of our campaigns.
  await deliver([]);
  await deliver(opened(undefined, present));
  assert.equal(await lastEvent(), undefined);
  assert.equal((await deliver(opened(1, present))).accepted, 1);
  assert.equal(await lastEvent(), present);
  world.clock.now = present + 59_000;
  await deliver(opened(1, present));
  assert.equal(await lastEvent(), present);
  world.clock.now = present + 60_000;
  // A quarantined event counts as received.
  assert.equal((await deliver(opened(77, present))).quarantined, 1);
  assert.equal(await lastEvent(), present + 60_000);
  const row = /<th scope="row">SparkPost[^<]*<\/th>\s*<td[^>]*>Jun 15, 2026, 12:01 PM UTC/;
  assert.match(await (await signIn("viewer")).read(path), row);
});

test("records the last event when many batches arrive at once", async (t) => {
  const { world, organization, deliver, lastEvent } = await start(t);
  await world.register(organization, 1);
  await Promise.all(Array.from({ length: 20 }, () => deliver(opened(1, present))));
  assert.equal(await lastEvent(), present);
});

test("warns about a source without events since a campaign was sent, with a checklist", async (t) => {
  const { world, organization, deliver, signIn } = await start(t);
  await world.register(organization, 1);
  const viewer = await signIn("viewer");
  const stopped = /stopped sending events/;
  assert.doesNotMatch(await viewer.read(path), stopped);
  await deliver(opened(1, present));
  world.clock.now = present + 3 * dayMs;
  assert.doesNotMatch(await viewer.read(path), stopped);
  // Imported campaigns, campaigns sent within the last hour, and those of other organizations do not count.
  await world.save(organization, [campaign({ id: 2, sentAt: present + 2 * dayMs })]);
  const sent = (at: number) => ({ sent_at: new Date(at).toISOString() });
  await world.register(organization, 3, sent(world.clock.now - hourMs + 1000));
  const { organization: other } = await world.addOrganization({ name: "Other" });
  await world.register(other, 4, sent(present + 2 * dayMs));
  assert.doesNotMatch(await viewer.read(path), stopped);
  await world.register(organization, 5, sent(present + 2 * dayMs));
  const mark = 'Sources <span class="visually-hidden">(A source is silent)</span>';
  assert.ok((await viewer.read("/help")).includes(mark));
  assertMatches(await viewer.read(path), [
    /class="warning"><strong>SparkPost[^<]* stopped sending events\.<\/strong>/,
    /The last event arrived Jun 15, 2026, 12:00 PM UTC, and a campaign was sent/,
    /Check at SparkPost[^<]* that the webhook is enabled/,
  ]);
  // The next event ends the warning.
  await deliver(opened(1, present));
  assert.doesNotMatch(await viewer.read("/help"), /A source is silent/);
  assert.doesNotMatch(await viewer.read(path), stopped);
  world.clock.now += 7 * dayMs + 1;
  // The first session has expired.
  assert.match(await (await signIn("viewer")).read(path), /more than seven days ago/);
});

test("marks the campaigns that may miss the events of a silent source, wherever they are listed", async (t) => {
  const { world, organization, deliver, signIn } = await start(t);
  for (const campaignId of [1, 2]) await world.register(organization, campaignId);
  await deliver(opened(1, present));
  await world.ingest(organization, [event("e1", 2)]);
  assert.doesNotMatch(await (await signIn("viewer")).read("/campaigns"), /may be incomplete/);
  world.clock.now = present + 8 * dayMs;
  const back = await signIn("viewer");
  const marked = (text: string) =>
    text.match(/\/campaigns\/\d+(?=[^>]*>(?:(?!<tr|<th)[\s\S])*?may be incomplete)/g);
  assert.deepEqual(marked(await back.read("/campaigns")), ["/campaigns/1"]);
  assert.deepEqual(marked(await back.read("/campaigns/compare?ids=1,2")), ["/campaigns/1"]);
  for (const page of ["/", path]) {
    assert.match(
      await back.read(page),
      /SparkPost[^<]* stopped sending events: <a href="\/campaigns\?from=2026-06-15">1 campaign<\/a> may miss opens and clicks\./,
    );
  }
  const warning = /SparkPost[^<]* stopped sending events on Jun 15, 2026, 12:00 PM UTC: opens and clicks may/;
  assert.match(await back.read("/campaigns/1?tab=links"), warning);
  assert.doesNotMatch(await back.read("/campaigns/2"), /stopped sending/);
  // Nearly all events came before the source fell silent.
  await deliver(opened(2, present + 8 * dayMs));
  world.clock.now = present + 16 * dayMs;
  const late = await signIn("viewer");
  assert.match(await late.read(path), /No campaign seems to miss events because of that/);
  // The next event ends it.
  await deliver(opened(1, world.clock.now));
  assert.doesNotMatch(await late.read("/campaigns"), /may be incomplete/);
});

test("warns about a source that needs a secret and has none", async (t) => {
  const { world, add, signIn } = await start(t, "resend");
  assert.match(await (await signIn("viewer")).read(path), /<strong>Resend has no secret yet\.<\/strong>/);
  // An unknown provider is shown by its stored name.
  const { organization: other } = await world.addOrganization({ name: "Other" });
  await add(other, "<b>new</b>");
  const { status, text } = await (await signIn("viewer", { organization: other })).get(path);
  assert.equal(status, 200);
  assert.match(text, /&lt;b&gt;new&lt;\/b&gt;/);
  assert.doesNotMatch(text, /Resend/);
});

test("shows webhook URLs on no list, and secrets to no user", async (t) => {
  const { id, signIn } = await start(t, "sparkpost", "hidden-secret-of-the-source");
  for (const role of ["admin", "viewer"] as const) {
    const text = await (await signIn(role)).read(path);
    assert.ok(!text.includes(id));
    assert.doesNotMatch(text, /hidden-secret/);
  }
});

test("shows when programs last sent, and whether tracking is configured", async (t) => {
  const given = await makeWebWorld(t, { tracking: { secrets: [] } });
  const { world, organization } = given;
  const [admin, viewer] = [await given.signIn("admin"), await given.signIn("viewer")];
  const before = await admin.read(path);
  assertMatches(before, [
    /<th scope="row" class="text">sender<\/th>\s*<td[^>]*>not used yet/,
    /Tracked messages are off/,
    /No email provider sends events yet/,
    /No events are in quarantine\./,
  ]);
  assert.doesNotMatch(before, /ea_test_/);
  await world.database.transactionOf(organization.id, async (scope) => {
    for (const id of [1, 2]) {
      await recordKeyUse(scope, id, { firstAt: present, lastAt: present, client: "" });
    }
  });
  assert.match(await admin.read(path), /sender<\/th>\s*<td>Jun 15, 2026, 12:00 PM UTC<\/td>/);
  const seen = await viewer.read(path);
  assert.doesNotMatch(seen, /sender</, "names of keys are for admins");
  await world.database.transactionOf(organization.id, (scope) => deleteApiKey(scope, 2));
  const toKeys =
    /no API key with the scope ingest\. <a href="\/settings\/integrations\/analytics-api">Create an/;
  assert.match(await admin.read(path), toKeys);
  assert.doesNotMatch(await viewer.read(path), toKeys);
});

test("shows quarantined events by campaign and reason, and lets an admin replay them", async (t) => {
  const given = await makeWebWorld(t);
  const { world, organization } = given;
  const [admin, viewer] = [await given.signIn("admin"), await given.signIn("viewer")];
  const mark = /Sources <span class="visually-hidden">\(Events are in quarantine\)<\/span>/;
  assert.doesNotMatch(await viewer.read("/help"), mark);
  await world.save(organization, [campaign({ id: 2, subject: "<b>Imported</b>" })]);
  await world.ingest(organization, [
    event("e1", 5),
    event("e2", 5, { recipient: "bob@example.com" }),
    event("e3", "weekly <1>"),
    event("e4", 2),
    event("e5", undefined, { campaign_id: 1.5, type: "opened", recipient: "dan@example.com" }),
  ]);
  world.clock.now = present + dayMs;
  await world.ingest(organization, [event("e6", 5, { recipient: "cid@example.com" })]);
  assert.match(await viewer.read("/help"), mark);
  const seen = await viewer.read(path);
  assertMatches(seen, [
    /6 events could not be counted and are in quarantine/,
    /<th scope="row" class="text">5<\/th>\s*<td class="text[^>]*>There is no campaign with this id \(or external_id, if campaign_id is text\)\. The event is counted once the campaign is registered\.<\/td>\s*<td class="number"[^>]*>3<\/td>\s*<td[^>]*>Jun 15, 2026, 12:00 PM UTC<\/td>\s*<td[^>]*>Jun 16, 2026, 12:00 PM UTC<\/td>/,
    /&quot;weekly &lt;1&gt;&quot;/,
    /<a href="\/campaigns\/2"><bdi[^>]*>&lt;b&gt;Imported&lt;\/b&gt;<\/bdi><\/a>/,
    />unknown<\/th>\s*<td[^>]*>A field is missing or invalid\. <span class="soft">Wrong or missing in the first event: <code>campaign_id<\/code> <span lang="en">\(the number of a campaign, or its external_id as text of 1 to 200 characters\)<\/span>; <code>type<\/code> <span lang="en">\(one of open, click, read, survey, delivery, bounce, unsubscribe, complaint\)<\/span><\/span><\/td>/,
    /in quarantine\. The reasons are below\./,
  ]);
  assert.doesNotMatch(seen, /opened|dan@example/, "values may name recipients");
  const byAdmin = await admin.read(path);
  assert.doesNotMatch(byAdmin, />Replay/);
  assert.match(byAdmin, /href="\/campaigns\/register\?id=5"/);
  assert.match(await admin.read("/campaigns/register?id=5"), /name="id"[^>]* value="5"/);
  const named = "/campaigns/register?external_id=weekly%20%3C1%3E";
  assert.ok(byAdmin.includes(`href="${named}"`));
  assert.match(
    await admin.read(named),
    /<details class="more-fields" open>.*name="external_id"[^>]* value="weekly &lt;1&gt;"/s,
  );
  assert.match(await admin.read("/campaigns/register"), /<details class="more-fields"><summary>/);

  // The campaign does not exist yet.
  assert.equal((await admin.post(path, "replay", { campaign: "5" })).notice, replayNotice(0, 0, 0, 3));
  assert.equal(await countWaiting(given), 6);
  const all = await admin.post(path, "replay");
  assert.deepEqual([all.status, all.location, all.notice], [303, path, replayNotice(0, 0, 0, 6)]);
});

test("says when the quarantine is almost full", async (t) => {
  const given = await makeWebWorld(t);
  await given.world.ingest(given.organization, [event("e1", 5)]);
  const viewer = await given.signIn("viewer");
  const full = /Hardly any more fit: they take \d+ of 95 MB\. Register the campaigns, or discard events\./;
  assert.doesNotMatch(await viewer.read(path), full);
  await tamper(given.world, "update quarantine set bytes = 99000000");
  assert.match(await viewer.read(path), full);
});

test("offers a replay for campaigns that count, and only to admins", async (t) => {
  const given = await makeWebWorld(t);
  const { world, organization } = given;
  await world.register(organization, 5);
  await world.save(organization, [campaign({ id: 2 })]);
  const early = { at: "2020-01-01T00:00:00Z" };
  await world.ingest(organization, [event("e1", 5, early), event("e2", 2), event("e3", 5, { type: "x" })]);
  const [admin, viewer] = [await given.signIn("admin"), await given.signIn("viewer")];
  const buttons = async () => (await admin.read(path)).match(/<button[^>]*>Replay[^<]*/g);
  const one = '<button class="second" aria-label="Replay the events of campaign 5">Replay';
  const expected = ['<button class="second">Replay all', one];
  assert.deepEqual(await buttons(), expected, "not for imported numbers and unreadable events");
  assert.doesNotMatch(await viewer.read(path), />Replay/);
  await run(world.databaseUrl, ["campaign", "close", "--yes", "--organization", "1", "--id", "5"]);
  assert.equal(await buttons(), null, "closed");
});

const replayNotice = (accepted: number, repeated: number, ignored: number, left: number) =>
  `Replayed: ${accepted} counted, ${repeated} repeated, ${ignored} ignored (campaign closed or recipient forgotten), ${left} still in quarantine.`;

test("replays one campaign or all in many short transactions", async (t) => {
  const given = await makeWebWorldOf("admin", t);
  const { world, organization, service, key, admin } = given;
  // The campaigns are sent after their events, which therefore look like test sends.
  await world.register(organization, 1, { sent_at: "2026-06-15T11:55:00Z" });
  await world.register(organization, 2, { sent_at: "2026-06-15T11:55:00Z", external_id: "weekly" });
  const early = { at: "2026-06-15T11:30:00Z" };
  const many = Array.from({ length: 4_500 }, (_, index) =>
    event(`a${index}`, 1, { ...early, recipient: `person-${index}@example.com` }),
  );
  await world.ingest(organization, many);
  await world.ingest(organization, [event("b1", "weekly", early)]);
  assert.equal(await countWaiting(given), 4_501);
  await moveSentAtBack(given.world);
  const opens = async () =>
    (await service.emails(key)).emails
      .toSorted((a, b) => Number(a.id) - Number(b.id))
      .map(({ unique_opens }) => unique_opens);
  assert.deepEqual(await opens(), [0, 0]);
  assert.equal((await admin.post(path, "replay", { campaign: "2" })).notice, replayNotice(1, 0, 0, 0));
  assert.deepEqual(await opens(), [0, 1]);
  const all = await admin.post(path, "replay");
  assert.equal(all.notice, replayNotice(4_500, 0, 0, 0).replace("4500", "4,500"));
  assert.deepEqual(await opens(), [4_500, 1]);
  assert.deepEqual(await waiting(given), []);
  // Another replay finds nothing and counts nothing twice.
  assert.equal((await admin.post(path, "replay")).notice, replayNotice(0, 0, 0, 0));
  assert.deepEqual(await opens(), [4_500, 1]);
});

test("reports how many events are left when a replay times out", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  await world.ingest(
    organization,
    Array.from({ length: 2_100 }, (_, index) => event(`a${index}`, 5, { recipient: `${index}@example.com` })),
  );
  const writer = startWriterThread({
    databaseUrl: world.databaseUrl,
    maxQueueBytes: 1_000_000,
    maxQuarantineBytes: 100_000_000,
  });
  t.after(() => writer.stop());
  const user = { organizationId: organization.id, id: 1, email: "ann@example.com", role: "admin" };
  const session = {
    organization,
    user,
    now: present,
    ...locales.en,
    ...readsOf(world.database, organization),
  };
  const context = {
    database: world.database,
    writer,
    now: () => present,
  } as Partial<WebContext> as WebContext;
  const actor = asActor(session as unknown as WebSession, context, "admin");
  const replayAll = async () => {
    const request = { params: {}, query: new URLSearchParams(), signal: new AbortController().signal };
    const done = await replay(actor, new URLSearchParams(), request);
    return (done as { notice: string }).notice;
  };
  const outOfTime = / 2,000 still in quarantine\. The replay ran out of time with 100 events left/;
  let elapsed = 0;
  const clock = t.mock.method(performance, "now", () => {
    elapsed += 10_000;
    return elapsed;
  });
  assert.match(await replayAll(), outOfTime);
  clock.mock.restore();
  assert.match(await replayAll(), / 2,100 still in quarantine\.$/);
});

test("rejects a replay of a campaign without quarantined events, and of another organization", async (t) => {
  const { world, organization, signIn, admin } = await makeWebWorldOf("admin", t);
  const { organization: other } = await world.addOrganization({ name: "Other" });
  await world.ingest(organization, [event("e1", 5)]);
  await world.ingest(other, [event("e1", 6), event("e2", "Cafe\u0301")]);
  const absent = await admin.post(path, "replay", { campaign: "6" });
  assertPage(absent, 404, /Campaign: 6 has no events in quarantine\./);
  assert.equal((await admin.post(path, "replay", { campaign: '"Cafe\u0301"' })).status, 404);
  for (const text of ["x", "0", "-1", "1.5", '""', "[1]", "null", "1e99", "<script>"]) {
    const { status, text: page } = await admin.post(path, "replay", { campaign: text });
    assert.equal(status, 400, text);
    const value = escapeHtml(JSON.stringify(text));
    const rule = 'the JSON of a campaign ID (such as 42) or of an external ID (such as "spring-news")';
    assert.ok(page.includes(`>Campaign: ${value} is not ${escapeHtml(rule)}.<`), text);
  }
  assert.doesNotMatch(await admin.read(path), /Cafe/);
  await admin.post(path, "replay");
  const theirs = (await waiting({ world, organization: other })).map(({ campaign: of, events }) => [
    of,
    events,
  ]);
  assert.deepEqual(theirs, [
    ["Cafe\u0301", 1],
    [6, 1],
  ]);
  // External ids keep their Unicode form.
  const theirAdmin = await signIn("admin", { organization: other });
  const replayed = await theirAdmin.post(path, "replay", { campaign: '"Cafe\u0301"' });
  assert.equal(replayed.notice, replayNotice(0, 0, 0, 1));
});
