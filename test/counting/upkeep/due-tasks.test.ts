// Due tasks: campaigns are closed after their counting period, and quarantined events expire.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { dayMs, hourMs, minuteMs } from "../../../src/campaign/calendar/durations.ts";
import { purgeRetiredLedger } from "../../../src/counting/campaigns/purge-retired-ledger.ts";
import { runDueTasks } from "../../../src/counting/upkeep/due-tasks.ts";
import { UpkeepTasks } from "../../../src/counting/upkeep/upkeep-tasks.ts";
import { recordAction } from "../../../src/storage/organizations/audit-log.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { actionsOf } from "../../support/audit.ts";
import { countRows, open, tamper } from "../../support/events.ts";
import { pick } from "../../support/pick.ts";
import { serveOnFreePort, start as startProgram, urlOf } from "../../support/process.ts";
import { placesWith } from "../../support/stored-bytes.ts";
import { campaign, makeAcme, makeWorld, run, type World } from "../../support/world.ts";

const start = Date.UTC(2026, 0, 10, 9);

const timeOf = (at: number) => new Date(at).toISOString();

/** Runs the due tasks at a time, at which something has also changed. */
async function runDue(world: World, now: number): Promise<void> {
  await tamper(world, `update organizations set revision = ${now}`);
  await runDueTasks(world.database, now);
}

/** Closed campaigns as `organization/campaign`. */
async function closed(world: World): Promise<string[]> {
  const rows = await world.database.snapshot((queries) =>
    queries
      .selectFrom("campaigns")
      .select(["organization_id", "id"])
      .where("closed_at", "is not", null)
      .orderBy("organization_id")
      .orderBy("id")
      .execute(),
  );
  return rows.map(({ organization_id, id }) => `${organization_id}/${id}`);
}

/** Campaigns 1 Individual, 2 Anonymous and 3 Overall with one open each, sent and registered at these times. */
async function registered(t: TestContext, { sentAt, at }: { sentAt: number; at: number }) {
  const { world, organization } = await makeAcme(t);
  world.clock.now = at;
  for (const [index, tracking_type] of ["Individual", "Anonymous", "Overall"].entries()) {
    await world.register(organization, index + 1, { tracking_type, sent_at: timeOf(sentAt) });
  }
  world.clock.now = Math.max(at, sentAt) + minuteMs;
  const opened = { at: timeOf(world.clock.now) };
  const events = [1, 2, 3].map((campaign_id) => open(1, { campaign_id, ...opened }));
  await world.ingest(organization, events);
  return { world, organization };
}

for (const [name, sentAt, at] of [
  ["sending if that is later", start, start - 30 * dayMs],
  ["registration if that is later", start - 30 * dayMs, start],
] as const) {
  test(`closes campaigns 400 days (Anonymous and Overall: 90 days) after ${name}`, async (t) => {
    const { world } = await registered(t, { sentAt, at });
    for (const [ms, expected] of [
      [0, []],
      [90 * dayMs - minuteMs, []],
      [90 * dayMs + minuteMs, ["1/2", "1/3"]],
      [400 * dayMs - minuteMs, ["1/2", "1/3"]],
      [400 * dayMs + minuteMs, ["1/1", "1/2", "1/3"]],
    ] as const) {
      await runDue(world, start + ms);
      assert.deepEqual(await closed(world), expected, `after ${ms / dayMs} days`);
    }
    const rows = await world.database.snapshot((queries) =>
      queries.selectFrom("campaigns").select(["id", "closed_at"]).orderBy("id").execute(),
    );
    const wanted = [400, 90, 90].map((days) => start + days * dayMs + minuteMs);
    assert.deepEqual(pick(rows, "closed_at"), wanted);
    while (await world.database.transaction(purgeRetiredLedger));
    assert.deepEqual(await countRows(world, "ledgers", "event_ids", "recipients"), [0, 0, 0]);
  });
}

test("closes campaigns by the current setting of their organization", async (t) => {
  const { world } = await registered(t, { sentAt: start, at: start });
  world.clock.now = start;
  const { organization: other } = await world.addOrganization({ name: "Globex" });
  await world.register(other, 1, { sent_at: timeOf(start) });
  const change = (id: string, ...options: string[]) =>
    run(world.databaseUrl, ["organization", "change", "--organization", id, "--yes", "--json", ...options]);
  const { rows } = await change("1", "--close-after-days", "10", "--close-nameless-after-days", "20");
  assert.deepEqual(pick(rows, "close_after_days", "close_nameless_after_days"), [[10, 20]]);
  await runDue(world, start + 9 * dayMs);
  assert.deepEqual(await closed(world), []);
  await runDue(world, start + 11 * dayMs);
  assert.deepEqual(await closed(world), ["1/1"]);
  await runDue(world, start + 21 * dayMs);
  assert.deepEqual(await closed(world), ["1/1", "1/2", "1/3"]);
  await change("2", "--close-after-days", "1");
  await runDue(world, start + 21 * dayMs);
  assert.deepEqual(await closed(world), ["1/1", "1/2", "1/3", "2/1"]);
});

test("changes no number and no reported campaign when it closes campaigns", async (t) => {
  const { world, organization } = await registered(t, { sentAt: start, at: start });
  await world.save(organization, [campaign({ id: 9, sentAt: start })]);
  const exported = async () => (await run(world.databaseUrl, "export --organization 1 --json")).stdout;
  const before = await exported();
  for (const days of [500, 600]) {
    await runDue(world, start + days * dayMs);
    assert.equal(await exported(), before);
  }
  assert.deepEqual(await closed(world), ["1/1", "1/2", "1/3"]);
  const [first] = await world.database.snapshot((queries) =>
    queries.selectFrom("campaigns").select("closed_at").where("id", "=", 1).execute(),
  );
  assert.equal(first?.closed_at, start + 500 * dayMs);
});

test("deletes quarantined events of every organization and reason after 30 days", async (t) => {
  const { world, organization } = await registered(t, { sentAt: start, at: start });
  const { organization: other } = await world.addOrganization({ name: "Globex" });
  const waiting = [
    open(1, { campaign_id: 5 }),
    open(2, { at: "never" }),
    open(3, { at: timeOf(start - dayMs) }),
  ];
  for (const [each, days] of [
    [organization, 0],
    [other, 1],
  ] as const) {
    world.clock.now = start + days * dayMs;
    assert.equal((await world.ingest(each, waiting)).quarantined, 3);
  }
  for (const [at, left] of [
    [30 * dayMs - minuteMs, 6],
    [30 * dayMs + minuteMs, 3],
    [31 * dayMs - minuteMs, 3],
    [31 * dayMs + minuteMs, 0],
  ] as const) {
    await runDue(world, start + at);
    assert.deepEqual(await countRows(world, "quarantine"), [left]);
  }
});

test("does not extend the quarantine of an event when it is repeated or replayed", async (t) => {
  const { world, organization } = await registered(t, { sentAt: start, at: start });
  for (const days of [0, 29]) {
    world.clock.now = start + days * dayMs;
    await world.ingest(organization, [open(1, { campaign_id: 5 })]);
    await run(world.databaseUrl, "quarantine replay --organization 1");
  }
  await runDue(world, start + 30 * dayMs + minuteMs);
  assert.deepEqual(await countRows(world, "quarantine"), [0]);
});

test("runs due tasks and deletes retired ledgers in the background while it serves", async (t) => {
  // In the past for any clock of the test machine.
  const longAgo = Date.UTC(2001, 0, 10, 9);
  const { world, organization } = await registered(t, { sentAt: longAgo, at: longAgo });
  await world.ingest(organization, [open(2, { campaign_id: 7 })]);
  assert.notDeepEqual(await placesWith(world, "person-1@example.com"), []);
  await tamper(world, `update organizations set revision = ${Date.now()}`);
  const server = startProgram(t, serveOnFreePort, { DATABASE_URL: world.databaseUrl });
  await urlOf(server);
  while ((await countRows(world, "ledgers", "quarantine")).some((rows) => rows > 0)) await pause(20);
  assert.equal(await server.stop(), 0);
  assert.deepEqual(await countRows(world, "event_ids", "recipients"), [0, 0]);
  assert.deepEqual(await closed(world), ["1/1", "1/2", "1/3"]);
});

test("continues with other organizations when a due task of one fails", async (t) => {
  const world = await makeWorld(t);
  for (const name of ["Broken", "Whole"]) {
    const { organization } = await world.addOrganization({ name });
    await world.register(organization, 1, { sent_at: timeOf(start) });
  }
  await tamper(world, "update campaigns set tallies = 'null' where organization_id = 1");
  const later = Math.max(start, world.clock.now) + 401 * dayMs;
  await assert.rejects(runDue(world, later), AggregateError);
  assert.deepEqual(await closed(world), ["2/1"]);
});

/** A campaign that is due, a quarantined event that has expired, and upkeep with clocks that the test sets. */
async function due(t: TestContext) {
  const { world, organization } = await registered(t, { sentAt: start, at: start });
  await world.ingest(organization, [open(2, { campaign_id: 7 })]);
  await tamper(world, `update organizations set revision = ${start + minuteMs}`);
  const reported: string[] = [];
  const clocks = { now: world.clock.now, monotonic: 0 };
  const upkeep = new UpkeepTasks(world.database, (error) => reported.push((error as Error).message), {
    now: () => clocks.now,
    monotonic: () => clocks.monotonic,
  });
  const runAfter = async (ms: number) => {
    clocks.monotonic += ms;
    await upkeep.run();
  };
  return {
    world,
    reported,
    clocks,
    runAfter,
    isFailing: () => upkeep.isFailing,
    done: async () => [await closed(world), await countRows(world, "quarantine")],
  };
}

test("is failing from a task that fails until the same task succeeds", async (t) => {
  const { world, reported, runAfter, isFailing } = await due(t);
  await tamper(world, "alter table quarantine rename to moved");
  await runAfter(0);
  assert.deepEqual([isFailing(), reported.length], [true, 1]);
  // The other tasks run every second, and this one once a minute.
  await runAfter(1_000);
  assert.deepEqual([isFailing(), reported.length], [true, 1]);
  await tamper(world, "alter table moved rename to quarantine");
  await runAfter(minuteMs);
  assert.deepEqual([isFailing(), reported.length], [false, 1]);
});

test("closes and deletes nothing by a clock more than a day ahead of the last change, and says so once an hour", async (t) => {
  const { world, reported, clocks, runAfter, done, isFailing } = await due(t);
  clocks.now = start + 1_000 * dayMs;
  await runAfter(0);
  await runAfter(hourMs - 1);
  assert.deepEqual(await done(), [[], [1]]);
  assert.equal(isFailing(), false, "after a quiet day, the clock may be right");
  assert.deepEqual(reported, [
    "the clock says 2028-10-06T09:00:00.000Z, but the last change in the database was at 2026-01-10T09:01:00.000Z, so nothing is closed or deleted; if the clock is wrong, correct it; if it is right, upkeep goes on after the next change",
  ]);
  await runAfter(1);
  assert.equal(reported.length, 2);
  await tamper(world, `update organizations set revision = ${clocks.now - dayMs}`);
  await runAfter(hourMs);
  assert.deepEqual(await done(), [["1/1", "1/2", "1/3"], [0]]);
  assert.equal(reported.length, 2);
});

test("a quiet service with nothing due does not report its clock", async (t) => {
  const { reported, clocks, runAfter, done } = await due(t);
  clocks.now = start + 20 * dayMs;
  await runAfter(0);
  assert.deepEqual([reported, await done()], [[], [[], [1]]]);
});

/** The actions of organization 1 and 2, at these days after the start. */
async function withActions(t: TestContext, days: readonly number[]) {
  const world = await makeWorld(t);
  world.clock.now = start;
  for (const name of ["Acme", "Globex"]) await world.addOrganization({ name });
  await world.database.transaction(async (queries) => {
    for (const organization of [1, 2]) {
      for (const day of days) {
        const at = start + day * dayMs;
        const entry = { actor: "ann@example.com", action: "session.start", target: `day ${day}` } as const;
        await recordAction(new Scope(queries, organization), { at, ...entry });
      }
    }
  });
  const left = async () => {
    const counts = await Promise.all([1, 2].map(async (id) => (await actionsOf(world, id)).length));
    return counts.join(" and ");
  };
  return { world, left };
}

test("deletes entries of the audit log after the days of their organization", async (t) => {
  const { world, left } = await withActions(t, [0, 10, 400]);
  await run(world.databaseUrl, "organization change --organization 2 --audit-days 395", {
    now: () => start + 400 * dayMs,
  });
  assert.equal(await left(), "3 and 4");
  await runDueTasks(world.database, start + 400 * dayMs);
  assert.equal(await left(), "3 and 3");
  await runDueTasks(world.database, start + 400 * dayMs + 1);
  assert.equal(await left(), "2 and 3");
});

test("deletes many old entries in several transactions", async (t) => {
  const { world, left } = await withActions(t, [...Array.from({ length: 1_500 }, () => 0), 401]);
  await runDueTasks(world.database, start + 401 * dayMs);
  assert.equal(await left(), "1 and 1");
});

test("keeps old entries while the clock is more than a day ahead of the newest one, without an error", async (t) => {
  const { world, left } = await withActions(t, [0, 400]);
  await runDueTasks(world.database, start + 401 * dayMs + 1);
  assert.equal(await left(), "2 and 2");
  await runDueTasks(world.database, start + 401 * dayMs);
  assert.equal(await left(), "1 and 1");
});
