// Stored hours: parts that add up to everything that was added.

import assert from "node:assert/strict";
import test from "node:test";
import { quarterHourMs } from "../../../src/campaign/calendar/durations.ts";
import { type Activity, activities } from "../../../src/campaign/events/activity.ts";
import { type HourCount, HourCounts } from "../../../src/campaign/events/hour-counts.ts";
import { addToHours } from "../../../src/storage/campaigns/campaign-hours.ts";
import type { Queries } from "../../../src/storage/queries/queries.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { Random } from "../../support/histories.ts";
import { findHourParts, readHours } from "../../support/hours.ts";
import { pick } from "../../support/pick.ts";
import { makeAcme } from "../../support/world.ts";

const verdicts = ["person", "apple_prefetch", "burst", "of another version"];
const inOrder = (hours: readonly HourCount[]) =>
  hours.map(({ quarter, activity, verdict, count }) => `${quarter} ${activity} ${verdict} ${count}`).sort();

test("hours added and subtracted in any batches equal a plain sum", async (t) => {
  const { world, organization } = await makeAcme(t);
  const { organization: other } = await world.addOrganization();
  for (let seed = 1; seed <= 20; seed++) {
    const random = new Random(seed);
    const expected = new Map<string, number>();
    await world.database.transaction(async (queries) => {
      for (let batch = 0; batch < 30; batch++) {
        const changes = [seed * 10 + 1, seed * 10 + 2, seed * 10 + 3]
          .filter(() => random.chance(60))
          .map((campaignId) => ({ campaignId, hours: new HourCounts() }));
        for (const { campaignId, hours } of changes) {
          for (let number = random.between(0, 60); number > 0; number--) {
            const activity = activities[random.between(0, 1)] as Activity;
            const verdict = verdicts[random.between(0, 3)] as string;
            const quarter = random.between(0, 80) * quarterHourMs;
            const count = random.between(-2, 3);
            hours.add(activity, verdict, quarter + random.between(0, quarterHourMs - 1), count);
            const name = `${campaignId} ${quarter} ${activity} ${verdict}`;
            expected.set(name, (expected.get(name) ?? 0) + count);
          }
        }
        await addToHours(new Scope(queries, organization.id), changes);
      }
    });
    const found: string[] = [];
    for (const campaignId of [seed * 10 + 1, seed * 10 + 2, seed * 10 + 3]) {
      const hours = await world.database.snapshot((queries) =>
        readHours(queries, organization.id, campaignId),
      );
      const wanted = hours.map(({ quarter }) => quarter).sort((a, b) => a - b);
      assert.deepEqual(pick(hours, "quarter"), wanted);
      found.push(...inOrder(hours).map((each) => `${campaignId} ${each}`));
      const none = await world.database.snapshot((queries) => readHours(queries, other.id, campaignId));
      assert.deepEqual(none, []);
    }
    const plain = [...expected].filter(([, count]) => count !== 0).map(([name, count]) => `${name} ${count}`);
    assert.deepEqual(found.sort(), plain.sort(), `seed ${seed}`);
  }
});

test("batches are added to the last part until it is full, and full parts never change", async (t) => {
  const { world, organization } = await makeAcme(t);
  const parts = (queries: Queries) => findHourParts(queries, organization.id, 1);
  let before: { part: number; counts: string }[] = [];
  for (let batch = 0; batch < 40; batch++) {
    const hours = new HourCounts();
    for (let place = 0; place < 20; place++) {
      hours.add("open", "person", (batch * 20 + place) * quarterHourMs + 1.7e12, 1);
    }
    const after = await world.database.transaction(async (queries) => {
      await addToHours(new Scope(queries, organization.id), [{ campaignId: 1, hours }]);
      return parts(queries);
    });
    const full = before.filter(({ counts }) => counts.length >= 1_000);
    assert.ok(before.length - full.length <= 1);
    assert.deepEqual(after.slice(0, full.length), full);
    assert.equal(after.length, full.length + 1);
    const expected = after.map((_, place) => place + 1);
    assert.deepEqual(pick(after, "part"), expected);
    before = after;
  }
  assert.ok(before.length > 5);
});

test("counts of zero make no row, and counts that cancel out are not listed", async (t) => {
  const { world, organization } = await makeAcme(t);
  const change = (...counts: number[]) => {
    const hours = new HourCounts();
    for (const count of counts) hours.add("click", "person", 1.7e12, count);
    return [{ campaignId: 1, hours }];
  };
  await world.database.transaction(async (queries) => {
    const parts = () => findHourParts(queries, organization.id, 1);
    await addToHours(new Scope(queries, organization.id), [...change(1, -1)]);
    assert.deepEqual(await parts(), []);
    await addToHours(new Scope(queries, organization.id), change(2));
    await addToHours(new Scope(queries, organization.id), change(-2));
    assert.deepEqual(await parts(), [{ part: 1, counts: "{}" }]);
    assert.deepEqual(await readHours(queries, organization.id, 1), []);
    await addToHours(new Scope(queries, organization.id), change(3));
    assert.equal((await readHours(queries, organization.id, 1))[0]?.count, 3);
  });
});
