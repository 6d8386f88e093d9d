// Timelines between requests: they catch up with what has changed, and are read anew only where that cannot be told.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { sql } from "kysely";
import { removeCampaign } from "../../../src/counting/campaigns/remove-campaign.ts";
import type { Timeline } from "../../../src/listing/timeline/timeline.ts";
import { TimelineCache } from "../../../src/listing/timeline/timeline-cache.ts";
import type { Database } from "../../../src/storage/database.ts";
import { findOrganization, type Organization } from "../../../src/storage/organizations.ts";
import { deleteTag, listTags } from "../../../src/storage/tags.ts";
import { campaign, makeWorld, present, type World } from "../../support/world.ts";

async function worldWith(test: TestContext, count: number) {
  const world = await makeWorld(test);
  const { organization } = await world.addOrganization();
  await world.save(
    organization,
    Array.from({ length: count }, (_, index) => campaign({ id: index + 1, sentAt: present - index * 1_000 })),
  );
  return { world, organization };
}

/** Counts how often a timeline was read anew: in single statements, which nothing else here needs. */
function counting(database: Database, onLook: () => Promise<unknown> = async () => undefined) {
  const counted = {
    ...database,
    looks: 0,
    async query<Result>(work: Parameters<Database["query"]>[0]): Promise<Result> {
      counted.looks += 1;
      const result = (await database.query(work)) as Result;
      await onLook();
      return result;
    },
  };
  return counted as Database & { looks: number };
}

async function load({ database }: World, { id }: Organization): Promise<Organization> {
  return (await database.snapshot((queries) => findOrganization(queries, id))) as Organization;
}

const idsOf = (timeline: Timeline, tagIds?: number[]) =>
  timeline.select({ tagIds }, 0, 10_000).entries.map(({ id }) => id);

test("a timeline catches up with campaigns that came, moved and went, and with tags that were deleted", async (t) => {
  const { world, organization } = await worldWith(t, 3);
  const database = counting(world.database);
  const timelines = new TimelineCache(database, 1_000_000);
  const current = async () => timelines.current(await load(world, organization));
  assert.deepEqual(idsOf(await current()), [1, 2, 3]);
  const { looks } = database;
  await world.save(organization, [
    campaign({ id: 9, sentAt: present - 1_500, tags: ["A", "B"] }),
    campaign({ id: 1, sentAt: present - 9_000, tags: ["B"] }),
  ]);
  assert.deepEqual(idsOf(await current()), [2, 9, 3, 1]);
  const [a, b] = (await world.database.snapshot((queries) => listTags(queries, organization.id))).map(
    ({ id }) => id,
  );
  assert.deepEqual(idsOf(await current(), [b as number]), [9, 1]);
  await world.database.transaction((queries) => removeCampaign(queries, organization.id, 2, present));
  await world.database.transaction((queries) =>
    deleteTag(queries, { organizationId: organization.id, id: b as number, now: present }),
  );
  assert.deepEqual(idsOf(await current()), [9, 3, 1]);
  assert.deepEqual([idsOf(await current(), [a as number]), idsOf(await current(), [b as number])], [[9], []]);
  assert.equal(database.looks, looks, "it was not read anew");
});

test("opens, and numbers that are reported anew, do not touch it", async (t) => {
  const { world, organization } = await worldWith(t, 3);
  await world.register(organization, 50);
  const timelines = new TimelineCache(world.database, 1_000_000);
  const before = await load(world, organization);
  const timeline = await timelines.current(before);
  const open = {
    id: "e",
    campaign_id: 50,
    recipient: "a",
    type: "open",
    at: new Date(present).toISOString(),
  };
  assert.equal((await world.ingest(organization, [open])).accepted, 1);
  await world.save(organization, [campaign({ id: 1, sentAt: present, subject: "Changed" })]);
  const after = await load(world, organization);
  assert.ok(after.revision > before.revision);
  assert.equal(await timelines.current(after), timeline);
});

test("what changes while a timeline is being read is in it", async (t) => {
  const { world, organization } = await worldWith(t, 2_500);
  let looks = 0;
  const database = counting(world.database, async () => {
    looks += 1;
    // After the organization and after the first batch: one that was read moves behind what comes, another goes.
    if (looks === 2) {
      await world.save(organization, [campaign({ id: 1, sentAt: present - 9_000_000 })]);
      await world.database.transaction((queries) => removeCampaign(queries, organization.id, 2_499, present));
    }
  });
  const timeline = await new TimelineCache(database, 1_000_000).current(await load(world, organization));
  const ids = idsOf(timeline);
  assert.equal(ids.length, 2_499);
  assert.deepEqual([ids[0], ids.at(-1), ids.includes(2_499)], [2, 1, false]);
});

test("a timeline of which very much has changed, or of a history that was undone, is read anew", async (t) => {
  const { world, organization } = await worldWith(t, 3);
  const database = counting(world.database);
  const timelines = new TimelineCache(database, 1_000_000);
  const current = async () => timelines.current(await load(world, organization));
  await current();
  const { looks } = database;
  await world.save(
    organization,
    Array.from({ length: 2_000 }, (_, index) => campaign({ id: 100 + index, sentAt: present - 5_000 })),
  );
  assert.equal((await current()).size, 2_003);
  assert.ok(database.looks > looks, "which takes less than to tell what has changed");
  // As after a backup was restored: what was known last has never been, and something else has.
  await world.database.transaction(async (queries) => {
    await sql`delete from timeline_changes where organization_id = ${organization.id}`.execute(queries);
    await sql`delete from campaigns where organization_id = ${organization.id} and id >= 100`.execute(
      queries,
    );
  });
  world.clock.now += 1_000;
  await world.save(organization, [campaign({ id: 4, sentAt: present + 500 })]);
  assert.deepEqual(idsOf(await current()), [4, 1, 2, 3]);
});

test("those that were asked for least recently are forgotten where they take too much memory", async (t) => {
  const { world, organization } = await worldWith(t, 3);
  const other = (await world.addOrganization({ name: "Other" })).organization;
  await world.save(other, [campaign({ id: 1, sentAt: present })]);
  const roomy = new TimelineCache(world.database, 1_000_000);
  const narrow = new TimelineCache(world.database, 1);
  for (const [timelines, isKept] of [
    [roomy, true],
    [narrow, false],
  ] as const) {
    const first = await timelines.current(await load(world, organization));
    assert.equal(
      await timelines.current(await load(world, organization)),
      first,
      "the last one is always kept",
    );
    await timelines.current(await load(world, other));
    assert.equal((await timelines.current(await load(world, organization))) === first, isKept);
  }
});

test("requests that come together read a timeline once", async (t) => {
  const { world, organization } = await worldWith(t, 3);
  const database = counting(world.database);
  const timelines = new TimelineCache(database, 1_000_000);
  const asked = await load(world, organization);
  const all = await Promise.all([1, 2, 3, 4].map(() => timelines.current(asked)));
  assert.equal(new Set(all).size, 1);
  assert.equal(database.looks, 2);
});
