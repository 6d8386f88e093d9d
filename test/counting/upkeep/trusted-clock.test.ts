// A wrong clock: upkeep deletes nothing for good that is not due by the time that has really passed.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { dayMs, hourMs, minuteMs } from "../../../src/campaign/calendar/durations.ts";
import { UpkeepTasks } from "../../../src/counting/upkeep/upkeep-tasks.ts";
import { countRows, open, tamper } from "../../support/events.ts";
import { makeWorld, present, run, type World } from "../../support/world.ts";

/** A service with a campaign that has counted an event, a quarantined event, and upkeep with a clock that the test sets. */
async function service(t: TestContext) {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  await world.register(organization, 1);
  await world.ingest(organization, [open(1), open(2, { campaign_id: 5 })]);
  const reported: string[] = [];
  const clocks = { now: present, monotonic: 0 };
  const startUpkeep = () =>
    new UpkeepTasks(world.database, (error) => reported.push((error as Error).message), {
      now: () => clocks.now,
      monotonic: () => clocks.monotonic,
    });
  let upkeep = startUpkeep();
  const stay = async (ms: number) => {
    clocks.now += ms;
    clocks.monotonic += ms;
    await upkeep.run();
  };
  await upkeep.run();
  return {
    world,
    organization,
    reported,
    /** Time passes while the service runs. */
    stay,
    /** Someone sets the clock, which is then wrong or right again by so much. */
    async set(ms: number) {
      clocks.now += ms;
      await stay(minuteMs);
    },
    /** The service is off for so long. */
    async restart(ms: number) {
      clocks.now += ms;
      await tamper(world, "delete from leases");
      upkeep = startUpkeep();
      await stay(minuteMs);
    },
    confirmClock: (at = clocks.now) => run(world.databaseUrl, ["confirm-clock", "--yes"], { now: () => at }),
  };
}

/** The number of ledgers and of quarantined events. */
const kept = (world: World) => countRows(world, "ledgers", "quarantine");

test("deletes nothing when the clock is 1,000 days ahead for 75 seconds, and says so once", async (t) => {
  const { world, set, stay, reported } = await service(t);
  await set(1_000 * dayMs);
  await stay(75_000);
  await set(-1_000 * dayMs);
  assert.deepEqual(await kept(world), [1, 1]);
  assert.deepEqual(reported, [
    'the clock says 2029-03-11T12:01:00.000Z, but upkeep trusts 2026-06-15T12:01:00.000Z, so campaigns close and quarantined events expire as of 2026-06-15T12:01:00.000Z; if the clock is wrong, correct it; if it is right, because the service was off, run "email-analytics confirm-clock"',
  ]);
  await stay(30 * dayMs);
  assert.deepEqual(await kept(world), [1, 0]);
});

test("deletes what is due by the time that has passed while the clock is wrong", async (t) => {
  const { world, set, stay, restart, reported } = await service(t);
  await set(1_000 * dayMs);
  await stay(29 * dayMs);
  await restart(minuteMs);
  assert.deepEqual(await kept(world), [1, 1]);
  await stay(2 * dayMs);
  assert.deepEqual(await kept(world), [1, 0]);
  assert.equal(reported.length, 4);
});

test("trusts the clock after a pause of less than a day, and after a longer one once an admin confirms it", async (t) => {
  const { world, stay, restart, confirmClock, reported } = await service(t);
  await stay(25 * dayMs);
  await restart(23 * hourMs);
  assert.deepEqual(reported, []);
  await restart(7 * dayMs);
  assert.deepEqual(await kept(world), [1, 1]);
  assert.equal(reported.length, 1);
  const { exitCode, stdout } = await confirmClock();
  assert.deepEqual(
    [exitCode, stdout],
    [0, "Confirmed 2026-07-18T11:02:00.000Z. Upkeep continues within a minute.\n"],
  );
  await stay(minuteMs);
  assert.deepEqual(await kept(world), [1, 0]);
  assert.equal(reported.length, 1);
});

test("does not delete what arrived while the clock was 1,000 days behind", async (t) => {
  const { world, organization, set, stay, reported } = await service(t);
  world.clock.now = present - 1_000 * dayMs;
  await set(-1_000 * dayMs);
  await world.register(organization, 2, { sent_at: "2024-01-01T00:00:00Z" });
  await world.ingest(organization, [open(3, { campaign_id: 6, at: "2023-09-01T00:00:00Z" })]);
  await set(1_000 * dayMs);
  assert.deepEqual(await kept(world), [2, 2]);
  assert.equal(reported.length, 1);
  await stay(30 * dayMs + minuteMs);
  assert.deepEqual(await kept(world), [2, 0]);
});

test("an admin can correct a time that was confirmed by mistake", async (t) => {
  const { world, set, stay, confirmClock } = await service(t);
  await confirmClock(present + 1_000 * dayMs);
  await stay(minuteMs);
  await confirmClock();
  await set(1_000 * dayMs);
  assert.deepEqual(await kept(world), [1, 1]);
});

test("confirm-clock shows the time and changes nothing without --yes", async (t) => {
  const { world } = await service(t);
  const now = () => present + 7 * dayMs;
  const { exitCode, stderr } = await run(world.databaseUrl, ["confirm-clock"], { now });
  assert.deepEqual(
    [exitCode, stderr],
    [
      2,
      "error: the clock says 2026-06-22T12:00:00.000Z, and upkeep deletes what has expired by then; compare it with another clock, and add --yes to confirm\n",
    ],
  );
  const { rows } = await run(world.databaseUrl, ["confirm-clock", "--yes", "--json"], { now });
  assert.deepEqual(rows, [{ trusted_at: "2026-06-22T12:00:00.000Z", before: "2026-06-15T12:00:00.000Z" }]);
});
