// Cached timelines: they catch up with changes, and reload only if the changes are too many or unknown.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { sql } from "kysely";
import { removeCampaign } from "../../../src/counting/campaigns/remove-campaign.ts";
import type { Timeline } from "../../../src/listing/timeline/timeline.ts";
import { TimelineCache } from "../../../src/listing/timeline/timeline-cache.ts";
import type { Database } from "../../../src/storage/database.ts";
import { findOrganization, type Organization } from "../../../src/storage/organizations.ts";
import { raiseRevisions } from "../../../src/storage/revisions.ts";
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

/** Counts queries outside transactions: only a reload makes them here. */
function countReloads(database: Database, onQuery: () => Promise<unknown> = async () => undefined) {
  const counted = {
    ...database,
    reloadQueries: 0,
    async query<Result>(work: Parameters<Database["query"]>[0]): Promise<Result> {
      counted.reloadQueries += 1;
      const result = (await database.query(work)) as Result;
      await onQuery();
      return result;
    },
  };
  return counted as Database & { reloadQueries: number };
}

async function load({ database }: World, { id }: Organization): Promise<Organization> {
  return (await database.snapshot((queries) => findOrganization(queries, id))) as Organization;
}

const idsOf = (timeline: Timeline, tagIds?: number[]) =>
  timeline.select({ tagIds }, 0, 10_000).entries.map(({ id }) => id);

test("catches up with added, moved and deleted campaigns and with deleted tags", async (t) => {
  const { world, organization } = await worldWith(t, 3);
  const database = countReloads(world.database);
  const timelines = new TimelineCache(database, 1_000_000);
  const current = async () => timelines.current(await load(world, organization));
  assert.deepEqual(idsOf(await current()), [1, 2, 3]);
  const { reloadQueries } = database;
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
  assert.equal(database.reloadQueries, reloadQueries, "it did not reload");
});

test("loads the tags of campaigns whose ids are close together or far apart", async (t) => {
  const world = await makeWorld(t);
  for (const farId of [3, Number.MAX_SAFE_INTEGER]) {
    const { organization } = await world.addOrganization();
    await world.save(organization, [
      campaign({ id: 1, sentAt: present, tags: ["A"] }),
      campaign({ id: 2, sentAt: present - 2_000, tags: ["B"] }),
      campaign({ id: farId, sentAt: present - 1_000, tags: ["A", "B"] }),
    ]);
    const timeline = await new TimelineCache(world.database, 1_000_000).current(
      await load(world, organization),
    );
    const tags = await world.database.snapshot((queries) => listTags(queries, organization.id));
    const tagged = tags.map(({ id, name }) => [name, idsOf(timeline, [id])]);
    assert.deepEqual(Object.fromEntries(tagged), { A: [1, farId], B: [farId, 2] });
  }
});

test("keeps the same timeline when only numbers or subjects change", async (t) => {
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

test("includes changes made while a timeline loads, however many", async (t) => {
  const { world, organization } = await worldWith(t, 2_500);
  let queries = 0;
  const database = countReloads(world.database, async () => {
    queries += 1;
    // After the first batch: a campaign that was in it moves to the end, and another one is deleted.
    if (queries === 2) {
      await world.save(organization, [campaign({ id: 1, sentAt: present - 9_000_000 })]);
      await world.database.transaction((queries) => removeCampaign(queries, organization.id, 2_499, present));
    }
  });
  const timeline = await new TimelineCache(database, 1_000_000).current(await load(world, organization));
  const ids = idsOf(timeline);
  assert.equal(ids.length, 2_499);
  assert.deepEqual([ids[0], ids.at(-1), ids.includes(2_499)], [2, 1, false]);

  // All campaigns move with every batch: catching up takes two parts, and reloading would never end.
  let moves = 0;
  const moving = countReloads(world.database, () =>
    world.database.transaction(async (queries) => {
      moves += 1;
      const revision = await raiseRevisions(queries, organization.id, "timeline", present + moves);
      await sql`
        update campaigns set timeline_revision = ${revision}, sent_at = ${present} + id + ${moves}
        where organization_id = ${organization.id}`.execute(queries);
    }),
  );
  const moved = await new TimelineCache(moving, 1_000_000).current(await load(world, organization));
  assert.deepEqual(idsOf(moved), [2_500, ...Array.from({ length: 2_498 }, (_, index) => 2_498 - index)]);
  assert.equal(moved.around(present).nextSentAt, present + 1 + moves);
  assert.equal(moving.reloadQueries, 4, "it loaded once");
});

test("reloads a timeline after very many changes, or after a backup is restored", async (t) => {
  const { world, organization } = await worldWith(t, 3);
  const database = countReloads(world.database);
  const timelines = new TimelineCache(database, 1_000_000);
  const current = async () => timelines.current(await load(world, organization));
  await current();
  const { reloadQueries } = database;
  await world.save(
    organization,
    Array.from({ length: 2_000 }, (_, index) => campaign({ id: 100 + index, sentAt: present - 5_000 })),
  );
  assert.equal((await current()).size, 2_003);
  assert.ok(database.reloadQueries > reloadQueries, "a reload is faster");
  // As after a restored backup: the latest known changes never happened, and others did.
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

test("evicts the least recently used timelines when they take too much memory", async (t) => {
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
      "the most recent one is never evicted",
    );
    await timelines.current(await load(world, other));
    assert.equal((await timelines.current(await load(world, organization))) === first, isKept);
  }
});

test("loads a timeline once for concurrent requests", async (t) => {
  const { world, organization } = await worldWith(t, 3);
  const database = countReloads(world.database);
  const timelines = new TimelineCache(database, 1_000_000);
  const key = await load(world, organization);
  const all = await Promise.all([1, 2, 3, 4].map(() => timelines.current(key)));
  assert.equal(new Set(all).size, 1);
  assert.equal(database.reloadQueries, 2);
});
