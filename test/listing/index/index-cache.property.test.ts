// The index: pages from memory equal a plain selection from the database, whatever changes between them.

import assert from "node:assert/strict";
import test from "node:test";
import { removeCampaign } from "../../../src/counting/campaigns/remove-campaign.ts";
import { IndexCache } from "../../../src/listing/index/index-cache.ts";
import { findOrganization, type Organization } from "../../../src/storage/organizations.ts";
import { listTags } from "../../../src/storage/tags.ts";
import { backUp } from "../../support/back-up.ts";
import { changeTag, deleteTag } from "../../support/change-tag.ts";
import { Random } from "../../support/histories.ts";
import { randomCases } from "../../support/random-cases.ts";
import { campaign, makeWorld, present, type World } from "../../support/world.ts";

const names = ["a", "b", "c", "d"];
/** Times so close that several campaigns share one. */
const anySentAt = (random: Random) => present - random.between(0, 300) * 1_000;

interface Filter {
  sentFrom?: number;
  sentUntil?: number;
  tagIds?: number[];
}

const load = async ({ database }: World, id: number) =>
  (await database.query((queries) => findOrganization(queries, id))) as Organization;

/** The ids of all campaigns that meet a filter, newest first. */
async function selectPlainly({ database }: World, id: number, filter: Filter): Promise<number[]> {
  return database.snapshot(async (queries) => {
    const emails = await queries
      .selectFrom("emails")
      .select(["id", "sent_at"])
      .where("organization_id", "=", id)
      .execute();
    const tags = await queries
      .selectFrom("campaign_tags")
      .selectAll()
      .where("organization_id", "=", id)
      .execute();
    const { sentFrom = 0, sentUntil = Number.POSITIVE_INFINITY, tagIds } = filter;
    return emails
      .filter(({ sent_at }) => sent_at >= sentFrom && sent_at < sentUntil)
      .filter(
        (email) => !tagIds || tags.some((tag) => tag.campaign_id === email.id && tagIds.includes(tag.tag_id)),
      )
      .sort((a, b) => b.sent_at - a.sent_at || b.id - a.id)
      .map((email) => email.id);
  });
}

async function anyFilter(world: World, id: number, random: Random): Promise<Filter> {
  const tags = await world.database.query((queries) => listTags(queries, id));
  return {
    ...(random.chance(40) && { sentFrom: anySentAt(random) }),
    ...(random.chance(40) && { sentUntil: anySentAt(random) }),
    ...(random.chance(50) && {
      tagIds: [...tags.filter(() => random.chance(50)).map((tag) => tag.id), 4711],
    }),
  };
}

async function change(world: World, id: number, random: Random): Promise<void> {
  const organization = await load(world, id);
  const now = world.clock.now;
  const [tag] = (await world.database.query((queries) => listTags(queries, id))).filter(() =>
    random.chance(50),
  );
  if (tag && random.chance(10)) {
    await world.database.transaction((queries) =>
      deleteTag(queries, { organizationId: id, id: tag.id, now }),
    );
  } else if (tag && random.chance(20)) {
    const renamed = { name: `${tag.name}${random.between(1, 1e6)}` };
    await world.database.transaction((queries) =>
      changeTag(queries, { organizationId: id, id: tag.id, change: renamed, now }),
    );
  } else if (random.chance(20)) {
    await world.database.transaction((queries) => removeCampaign(queries, id, random.between(1, 200), now));
  } else {
    const some = new Set(Array.from({ length: random.between(1, 40) }, () => random.between(1, 200)));
    const tags = names.filter(() => random.chance(30));
    await world.save(
      organization,
      [...some].map((each) =>
        campaign({ id: each, sentAt: anySentAt(random), subject: `${random.between(1, 1e6)}`, tags }),
      ),
    );
  }
}

async function checkPages(world: World, index: IndexCache, id: number, random: Random): Promise<void> {
  const filter = await anyFilter(world, id, random);
  const perPage = random.between(1, 100);
  const expected = await selectPlainly(world, id, filter);
  const page = random.between(1, Math.ceil(expected.length / perPage) + 1);
  const found = await index.page(await load(world, id), filter, { page, perPage });
  const records = JSON.parse(`[${Buffer.concat(found.slices)}]`) as { id: number; subject: string }[];
  const wanted = expected.slice((page - 1) * perPage, page * perPage);
  assert.deepEqual(
    [records.map((record) => record.id), found.count, found.total],
    [wanted, wanted.length, expected.length],
  );
  const subjects = await world.database.query((queries) =>
    queries.selectFrom("campaigns").select(["id", "subject"]).where("organization_id", "=", id).execute(),
  );
  const subjectOf = new Map(subjects.map((row) => [row.id, row.subject]));
  for (const record of records) assert.equal(record.subject, subjectOf.get(record.id));
}

test("pages equal a plain selection after random changes and restored backups, with little memory and with much", async (t) => {
  const world = await makeWorld(t);
  for (let seed = 1; seed <= randomCases(8); seed++) {
    const random = new Random(seed);
    const { organization } = await world.addOrganization();
    const { id } = organization;
    const indexes = [new IndexCache(world.database, 1), new IndexCache(world.database, 1e9)];
    let restore = await backUp(world.database, id);
    for (let step = 0; step < 15; step++) {
      world.clock.now += random.between(0, 2);
      const dice = random.between(1, 100);
      if (dice <= 15) restore = await backUp(world.database, id);
      else if (dice <= 30) await restore();
      else await change(world, id, random);
      // Not always: an index may miss many changes, and a restored backup.
      for (const index of indexes) if (random.chance(70)) await checkPages(world, index, id, random);
    }
    for (const index of indexes) await checkPages(world, index, id, random);
  }
});

test("catches up with more changes than one statement reads, and loads while campaigns change", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  const many = (subject: string) =>
    Array.from({ length: 2_100 }, (_, at) =>
      campaign({ id: at + 1, sentAt: present - at, subject, tags: ["a"] }),
    );
  await world.save(organization, many("first"));
  const [tag] = await world.database.query((queries) => listTags(queries, organization.id));
  let loads = 0;
  const busy = new IndexCache(
    {
      ...world.database,
      async query(work) {
        const result = await world.database.query(work);
        loads += 1;
        if (loads === 1) await world.save(organization, many("second"));
        return result;
      },
    },
    1e9,
  );
  const page = async () =>
    busy.page(await load(world, organization.id), { tagIds: [tag?.id ?? 0] }, { page: 21, perPage: 100 });
  const first = await page();
  assert.deepEqual([first.count, first.total], [100, 2_100]);
  assert.match(Buffer.concat(first.slices).toString(), /"subject":"second"/);
  await world.save(organization, many("third"));
  assert.match(Buffer.concat((await page()).slices).toString(), /"subject":"third"/);
});

test("keeps a page of a state until its slices are sent, whatever changes meanwhile", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  await world.save(organization, [campaign({ id: 1, subject: "before" })]);
  const index = new IndexCache(world.database, 1e9);
  const page = async () => index.page(await load(world, organization.id), {}, { page: 1, perPage: 10 });
  const before = await page();
  await world.save(organization, [campaign({ id: 1, subject: "after" })]);
  const after = await page();
  assert.match(Buffer.concat(before.slices).toString(), /before/);
  assert.match(Buffer.concat(after.slices).toString(), /after/);
  assert.notEqual(before.revisionId, after.revisionId);
});
