// The sources page: last events, warnings, and the quarantine with its replay.

import assert from "node:assert/strict";
import test from "node:test";
import { dayMs, hourMs } from "../../../../src/campaign/calendar/durations.ts";
import { startWriterThread } from "../../../../src/counting/writer/writer-thread.ts";
import type { WebSession } from "../../../../src/http/web/frame/page.ts";
import type { WebContext } from "../../../../src/http/web/frame/web-context.ts";
import { asActor } from "../../../../src/http/web/frame/web-session.ts";
import { replayAction } from "../../../../src/http/web/sources/replay.ts";
import { escapeHtml } from "../../../../src/locale/html.ts";
import { locales } from "../../../../src/locale/locale.ts";
import { deleteApiKey, recordKeyUse } from "../../../../src/storage/keys/api-keys.ts";
import { addSource, listSources } from "../../../../src/storage/keys/sources.ts";
import { summarizeQuarantine } from "../../../../src/storage/quarantine/quarantine-groups.ts";
import { moveSentAtBack } from "../../../support/events.ts";
import { makeWebWorld, type WebWorld } from "../../../support/web-world.ts";
import { campaign, makeWorld, present, run } from "../../../support/world.ts";

const path = "/sources";

const withSource = ({ world, organization }: WebWorld, provider = "sendgrid", secret?: string) =>
  world.database.transactionOf(organization.id, (scope) =>
    addSource(scope, {
      provider,
      secret,
      campaignField: "campaign_id",
      now: world.clock.now,
    }),
  );

const lastEventOf = async ({ world, organization }: WebWorld) =>
  (await world.database.snapshotOf(organization.id, listSources))[0]?.lastEventAt;

let count = 0;
/** An event as SparkPost sends it. SparkPost needs no secret. */
const opened = (campaignId: number | string | undefined, at: number) => {
  count += 1;
  return [
    {
      msys: {
        track_event: {
          type: "open",
          event_id: `event-${count}`,
          rcpt_to: "ann@example.com",
          timestamp: String(Math.floor(at / 1000)),
          ...(campaignId !== undefined && { rcpt_meta: { campaign_id: String(campaignId) } }),
        },
      },
    },
  ];
};

const waiting = ({ world, organization }: WebWorld) =>
  world.database.snapshotOf(organization.id, (scope) => summarizeQuarantine(scope, {}));

const event = (id: string, campaign_id: unknown, given: Record<string, unknown> = {}) => ({
  id,
  campaign_id,
  recipient: "ann@example.com",
  type: "open",
  at: "2026-06-15T11:30:00Z",
  ...given,
});

test("records the last event of a source with its batch, at most once a minute", async (t) => {
  const given = await makeWebWorld(t);
  const { world, organization, service } = given;
  await world.register(organization, 1);
  const { id } = await withSource(given, "sparkpost");
  const deliver = async (body: unknown) => {
    const { status, text } = await service.send(`/ingest/v1/webhooks/${id}`, { body });
    assert.equal(status, 200, text);
    return JSON.parse(text) as { accepted: number; quarantined: number };
  };
  assert.equal(await lastEventOf(given), undefined);
  // Batches without events of our campaigns.
  await deliver([]);
  await deliver(opened(undefined, present));
  assert.equal(await lastEventOf(given), undefined);
  assert.equal((await deliver(opened(1, present))).accepted, 1);
  assert.equal(await lastEventOf(given), present);
  world.clock.now = present + 59_000;
  await deliver(opened(1, present));
  assert.equal(await lastEventOf(given), present);
  world.clock.now = present + 60_000;
  // A quarantined event counts as received.
  assert.equal((await deliver(opened(77, present))).quarantined, 1);
  assert.equal(await lastEventOf(given), present + 60_000);
  const { text } = await (await given.signIn("viewer")).get(path);
  assert.match(text, /<th scope="row">SparkPost[^<]*<\/th>\s*<td[^>]*>Jun 15, 2026, 12:01 PM UTC/);
});

test("records the last event when many batches arrive at once", async (t) => {
  const given = await makeWebWorld(t);
  const { world, organization, service } = given;
  await world.register(organization, 1);
  const { id } = await withSource(given, "sparkpost");
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => service.send(`/ingest/v1/webhooks/${id}`, { body: opened(1, present) })),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  assert.equal(await lastEventOf(given), present);
});

test("warns about a source without events since a campaign was sent, with a checklist", async (t) => {
  const given = await makeWebWorld(t);
  const { world, organization, service } = given;
  await world.register(organization, 1);
  const { id } = await withSource(given, "sparkpost");
  const viewer = await given.signIn("viewer");
  assert.doesNotMatch(await viewer.read(path), /stopped sending events/);
  await service.send(`/ingest/v1/webhooks/${id}`, { body: opened(1, present) });
  world.clock.now = present + 3 * dayMs;
  assert.doesNotMatch(await viewer.read(path), /stopped sending events/);
  // Imported campaigns, campaigns sent within the last hour, and those of other organizations do not count.
  await world.save(organization, [campaign({ id: 2, sentAt: present + 2 * dayMs })]);
  const sent = (at: number) => ({ sent_at: new Date(at).toISOString() });
  await world.register(organization, 3, sent(world.clock.now - hourMs + 1000));
  const { organization: other } = await world.addOrganization({ name: "Other" });
  await world.register(other, 4, sent(present + 2 * dayMs));
  assert.doesNotMatch(await viewer.read(path), /stopped sending events/);
  await world.register(organization, 5, sent(present + 2 * dayMs));
  const warned = await viewer.read(path);
  assert.match(
    await viewer.read("/help"),
    /Sources <span class="visually-hidden">\(A source is silent\)<\/span>/,
  );
  assert.match(warned, /class="warning"><strong>SparkPost[^<]* stopped sending events\.<\/strong>/);
  assert.match(warned, /The last event arrived Jun 15, 2026, 12:00 PM UTC, and a campaign was sent/);
  assert.match(warned, /Check at SparkPost[^<]* that the webhook is enabled/);
  // The next event ends the warning.
  await service.send(`/ingest/v1/webhooks/${id}`, { body: opened(1, present) });
  assert.doesNotMatch(await viewer.read("/help"), /A source is silent/);
  assert.doesNotMatch(await viewer.read(path), /stopped sending events/);
  world.clock.now += 7 * dayMs + 1;
  // The first session has expired.
  const back = await given.signIn("viewer");
  assert.match(await back.read(path), /more than seven days ago/);
});

test("marks the campaigns that may miss the events of a silent source, wherever they are listed", async (t) => {
  const given = await makeWebWorld(t);
  const { world, organization, service } = given;
  const { id } = await withSource(given, "sparkpost");
  for (const campaignId of [1, 2]) await world.register(organization, campaignId);
  await service.send(`/ingest/v1/webhooks/${id}`, { body: opened(1, present) });
  await world.ingest(organization, [event("e1", 2)]);
  const viewer = await given.signIn("viewer");
  assert.doesNotMatch(await viewer.read("/campaigns"), /may be incomplete/);
  world.clock.now = present + 8 * dayMs;
  const back = await given.signIn("viewer");
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
  await service.send(`/ingest/v1/webhooks/${id}`, { body: opened(2, present + 8 * dayMs) });
  world.clock.now = present + 16 * dayMs;
  const late = await given.signIn("viewer");
  assert.match(await late.read(path), /No campaign seems to miss events because of that/);
  // The next event ends it.
  await service.send(`/ingest/v1/webhooks/${id}`, { body: opened(1, world.clock.now) });
  assert.doesNotMatch(await back.read("/campaigns"), /may be incomplete/);
});

test("warns about a source that needs a secret and has none", async (t) => {
  const given = await makeWebWorld(t);
  const { world, organization } = given;
  await withSource(given, "resend");
  const viewer = await given.signIn("viewer");
  assert.match(await viewer.read(path), /<strong>Resend has no secret yet\.<\/strong>/);
  // An unknown provider is shown by its stored name.
  const { organization: other } = await world.addOrganization({ name: "Other" });
  await withSource({ ...given, organization: other }, "<b>new</b>");
  const theirs = await given.signIn("viewer", { organization: other });
  const { status, text } = await theirs.get(path);
  assert.equal(status, 200);
  assert.match(text, /&lt;b&gt;new&lt;\/b&gt;/);
  assert.doesNotMatch(text, /Resend/);
  assert.notEqual(organization.id, other.id);
});

test("shows webhook URLs on no list, and secrets to no user", async (t) => {
  const given = await makeWebWorld(t);
  const { id } = await withSource(given, "sparkpost", "hidden-secret-of-the-source");
  for (const client of [await given.signIn("admin"), await given.signIn("viewer")]) {
    const { text } = await client.get(path);
    assert.ok(!text.includes(id));
    assert.doesNotMatch(text, /hidden-secret/);
  }
});

test("shows when programs last sent, and whether tracking is configured", async (t) => {
  const given = await makeWebWorld(t, { tracking: { secrets: [] } });
  const { world, organization } = given;
  const [admin, viewer] = [await given.signIn("admin"), await given.signIn("viewer")];
  const before = await admin.read(path);
  assert.match(await viewer.read(path), /1 program can send\. No data was sent yet\./);
  assert.match(before, /<th scope="row" class="text">sender<\/th>\s*<td[^>]*>not used yet/);
  assert.doesNotMatch(before, /ea_test_/);
  assert.match(before, /Tracked messages are off/);
  assert.match(before, /No email provider sends events yet/);
  assert.match(before, /No events are in quarantine\./);
  await world.database.transactionOf(organization.id, async (scope) => {
    for (const id of [1, 2]) {
      await recordKeyUse(scope, organization, id, {
        ...{ firstAt: present, lastAt: present },
        client: "",
        requests: 1,
      });
    }
  });
  assert.match(await admin.read(path), /sender<\/th>\s*<td>Jun 15, 2026, 12:00 PM UTC<\/td>/);
  const seen = await viewer.read(path);
  assert.match(seen, /1 program can send\. Last used Jun 15, 2026, 12:00 PM UTC\./);
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
  assert.doesNotMatch(await (await given.signIn("viewer")).read("/help"), /Events are in quarantine/);
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
  const viewed = await (await given.signIn("viewer")).get("/help");
  assert.match(viewed.text, /Sources <span class="visually-hidden">\(Events are in quarantine\)<\/span>/);
  const admin = await given.signIn("admin");
  const viewer = await given.signIn("viewer");
  const seen = await viewer.get(path);
  assert.match(seen.text, /6 events could not be counted and are in quarantine/);
  assert.match(
    seen.text,
    /<th scope="row" class="text">5<\/th>\s*<td class="text[^>]*>There is no campaign with this id \(or external_id, if campaign_id is text\)\. The event is counted once the campaign is registered\.<\/td>\s*<td class="number"[^>]*>3<\/td>\s*<td[^>]*>Jun 15, 2026, 12:00 PM UTC<\/td>\s*<td[^>]*>Jun 16, 2026, 12:00 PM UTC<\/td>/,
  );
  assert.match(seen.text, /&quot;weekly &lt;1&gt;&quot;/);
  assert.match(seen.text, /<a href="\/campaigns\/2"><bdi[^>]*>&lt;b&gt;Imported&lt;\/b&gt;<\/bdi><\/a>/);
  assert.match(
    seen.text,
    />unknown<\/th>\s*<td[^>]*>A field is missing or invalid\. <span class="soft">Wrong or missing in the first event: <code>campaign_id<\/code> <span lang="en">\(the number of a campaign, or its external_id as text of 1 to 200 characters\)<\/span>; <code>type<\/code> <span lang="en">\(one of open, click, read, survey\)<\/span><\/span><\/td>/,
  );
  assert.doesNotMatch(seen.text, /opened|dan@example/, "values may name recipients");
  assert.match(seen.text, /No event counts now: /);
  const byAdmin = await admin.read(path);
  assert.doesNotMatch(byAdmin, />Replay/);
  assert.match(byAdmin, /href="\/campaigns\/register\?id=5"/);
  assert.match(await admin.read("/campaigns/register?id=5"), /name="id"[^>]* value="5"/);
  assert.equal((await viewer.post(path, "replay")).status, 403);
  assert.equal((await admin.post(path, "replay", { form_token: "" })).status, 403);

  // The campaign does not exist yet.
  const nothing = await admin.post(path, "replay", { campaign: "5" });
  assert.equal(nothing.notice, replayNotice(0, 0, 0, 3));
  assert.equal(
    (await waiting(given)).reduce((sum, { events }) => sum + events, 0),
    6,
  );
  const all = await admin.post(path, "replay");
  assert.deepEqual([all.status, all.location, all.notice], [303, path, replayNotice(0, 0, 0, 6)]);
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
  assert.deepEqual(
    await buttons(),
    ["<button>Replay all", one],
    "not for imported numbers and unreadable events",
  );
  assert.doesNotMatch(await viewer.read(path), />Replay/);
  await run(world.databaseUrl, ["campaign", "close", "--yes", "--organization", "1", "--id", "5"]);
  assert.equal(await buttons(), null, "closed");
});

const replayNotice = (accepted: number, repeated: number, ignored: number, left: number) =>
  `Replayed: ${accepted} counted, ${repeated} repeated, ${ignored} ignored (campaign closed or recipient forgotten), ${left} still in quarantine.`;

test("replays one campaign or all in many short transactions", async (t) => {
  const given = await makeWebWorld(t);
  const { world, organization, service, key } = given;
  // The campaigns are sent after their events, which therefore look like test sends.
  await world.register(organization, 1, { sent_at: "2026-06-15T11:55:00Z" });
  await world.register(organization, 2, { sent_at: "2026-06-15T11:55:00Z", external_id: "weekly" });
  const early = { at: "2026-06-15T11:30:00Z" };
  const many = Array.from({ length: 4_500 }, (_, index) =>
    event(`a${index}`, 1, { ...early, recipient: `person-${index}@example.com` }),
  );
  await world.ingest(organization, many);
  await world.ingest(organization, [event("b1", "weekly", early)]);
  assert.equal(
    (await waiting(given)).reduce((sum, { events }) => sum + events, 0),
    4_501,
  );
  await moveSentAtBack(given.world);
  const admin = await given.signIn("admin");
  const opens = async () =>
    (await service.emails(key)).emails
      .toSorted((a, b) => Number(a.id) - Number(b.id))
      .map(({ unique_opens }) => unique_opens);
  assert.deepEqual(await opens(), [0, 0]);
  const one = await admin.post(path, "replay", { campaign: "2" });
  assert.equal(one.notice, replayNotice(1, 0, 0, 0));
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
    maxQuarantined: 100_000,
  });
  t.after(() => writer.stop());
  const user = { organizationId: organization.id, id: 1, email: "ann@example.com", role: "admin" as const };
  const session: WebSession = {
    organization,
    user: {
      ...user,
      hasPassword: true,
      hasSecondFactor: false,
      inviteExpiresAt: undefined,
      createdAt: 0,
      lastVisitAt: undefined,
      language: null,
      notifications: [],
    },
    locale: locales.en,
    browserLocale: locales.en,
    hash: "",
    csrfToken: "",
    lastEventAt: undefined,
    sourcesAlert: { silent: [], hasQuarantined: false, at: 0 },
  };
  const context = {
    database: world.database,
    writer,
    now: () => present,
  } as Partial<WebContext> as WebContext;
  const actor = asActor(session, context, "admin");
  const replay = async (timeoutMs?: number) => {
    const action = replayAction(context, timeoutMs);
    const request = { params: {}, query: new URLSearchParams(), signal: new AbortController().signal };
    return (await action(actor, new URLSearchParams(), request)) as { notice: string };
  };
  const timedOut = await replay(0);
  assert.match(
    timedOut.notice,
    / 2,000 still in quarantine\. The replay ran out of time with 100 events left/,
  );
  assert.match((await replay()).notice, / 2,100 still in quarantine\.$/);
});

test("rejects a replay of a campaign without quarantined events, and of another organization", async (t) => {
  const given = await makeWebWorld(t);
  const { world, organization } = given;
  const { organization: other } = await world.addOrganization({ name: "Other" });
  await world.ingest(organization, [event("e1", 5)]);
  await world.ingest(other, [event("e1", 6), event("e2", "Cafe\u0301")]);
  const admin = await given.signIn("admin");
  const absent = await admin.post(path, "replay", { campaign: "6" });
  assert.equal(absent.status, 404);
  assert.match(absent.text, /Campaign: 6 has no events in quarantine\./);
  assert.equal((await admin.post(path, "replay", { campaign: '"Cafe\u0301"' })).status, 404);
  for (const text of ["x", "0", "-1", "1.5", '""', "[1]", "null", "1e99", "<script>"]) {
    const { status, text: page } = await admin.post(path, "replay", { campaign: text });
    assert.equal(status, 400, text);
    const value = escapeHtml(JSON.stringify(text));
    const rule = escapeHtml(
      'the JSON of a campaign ID (such as 42) or of an external ID (such as "spring-news")',
    );
    assert.ok(page.includes(`>Campaign: ${value} is not ${rule}.<`), text);
  }
  assert.doesNotMatch(await admin.read(path), /Cafe/);
  await admin.post(path, "replay");
  const theirs = await world.database.snapshotOf(other.id, (scope) => summarizeQuarantine(scope, {}));
  assert.deepEqual(
    theirs.map(({ campaign: of, events }) => [of, events]),
    [
      ["Cafe\u0301", 1],
      [6, 1],
    ],
  );
  // External ids keep their Unicode form.
  const theirAdmin = await given.signIn("admin", { organization: other });
  assert.equal(
    (await theirAdmin.post(path, "replay", { campaign: '"Cafe\u0301"' })).notice,
    replayNotice(0, 0, 0, 1),
  );
});

/** Moves sent_at of all campaigns one hour back. */
