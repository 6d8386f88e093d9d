// The index: pages from memory equal a plain selection from the database, whatever changes between them.

import assert from "node:assert/strict";
import test from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { removeCampaign } from "../../../src/counting/campaigns/remove-campaign.ts";
import { IndexCache } from "../../../src/listing/index/index-cache.ts";
import { findOrganization, type Organization } from "../../../src/storage/organizations/organizations.ts";
import { listTags } from "../../../src/storage/organizations/tags.ts";
import type { Database } from "../../../src/storage/queries/database.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { backUp } from "../../support/back-up.ts";
import { changeTag, removeTag } from "../../support/change-tag.ts";
import { Random } from "../../support/histories.ts";
import { randomCases } from "../../support/random-cases.ts";
import { campaign, makeAcme, makeWorld, present, type World } from "../../support/world.ts";

const names = ["a", "b", "c", "d"];
/** Times so close that several campaigns share one. */
const anySentAt = (random: Random) => present - random.between(0, 300) * 1_000;

interface Filter {
  sentFrom?: number;
  sentUntil?: number;
  tagIds?: number[];
}

const load = async ({ database }: World, id: number) =>
  (await database.query((queries) => findOrganization(new Scope(queries, id)))) as Organization;

/** What a plain selection needs: the campaigns of one revision, newest first, and their tags. */
interface State {
  /** Later states have larger numbers, also after a backup was restored. */
  number: number;
  emails: { id: number; sentAt: number; record: string; tagIds: number[] }[];
}

/** The states of an organization by revision id. */
type States = Map<number, State>;

/** Saves the present state, which pages of its revision have to show. */
async function remember({ database }: World, id: number, states: States): Promise<void> {
  await database.snapshot(async (queries) => {
    const { revisionId } = (await findOrganization(new Scope(queries, id))) as Organization;
    const emails = await queries
      .selectFrom("emails")
      .select(["id", "sent_at", "record"])
      .where("organization_id", "=", id)
      .execute();
    const tags = await queries
      .selectFrom("campaign_tags")
      .selectAll()
      .where("organization_id", "=", id)
      .execute();
    const tagsOf = Map.groupBy(tags, (tag) => tag.campaign_id);
    states.set(revisionId, {
      number: Math.max(0, ...[...states.values()].map((state) => state.number)) + 1,
      emails: emails
        .map((email) => ({
          ...{ id: email.id, sentAt: email.sent_at, record: email.record },
          tagIds: (tagsOf.get(email.id) ?? []).map((tag) => tag.tag_id),
        }))
        .sort((a, b) => b.sentAt - a.sentAt || b.id - a.id),
    });
  });
}

/** The campaigns that meet a filter, newest first. */
function selectPlainly({ emails }: State, filter: Filter): State["emails"] {
  const { sentFrom = 0, sentUntil = Number.POSITIVE_INFINITY, tagIds } = filter;
  return emails
    .filter(({ sentAt }) => sentAt >= sentFrom && sentAt < sentUntil)
    .filter((email) => !tagIds || email.tagIds.some((id) => tagIds.includes(id)));
}

async function anyFilter(world: World, id: number, random: Random): Promise<Filter> {
  const tags = await world.read({ id }, listTags);
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
  const [tag] = (await world.read({ id }, listTags)).filter(() => random.chance(50));
  if (tag && random.chance(10)) {
    await world.database.transaction((queries) =>
      removeTag(queries, { organizationId: id, id: tag.id, now }),
    );
  } else if (tag && random.chance(20)) {
    const renamed = { name: `${tag.name}${random.between(1, 1e6)}` };
    await world.database.transaction((queries) =>
      changeTag(queries, { organizationId: id, id: tag.id, change: renamed, now }),
    );
  } else if (random.chance(20)) {
    await world.write({ id }, (scope) => removeCampaign(scope, random.between(1, 200), now));
  } else {
    const isAny = random.chance(50);
    const sentAts = await findSendTimes(world, id);
    const ids = isAny ? Array.from({ length: 200 }, (_, at) => at + 1) : [...sentAts.keys()];
    await world.save(
      organization,
      random
        .shuffle(ids)
        .slice(0, random.pick([1, random.between(1, 40)]))
        .map((each) => {
          // A campaign that keeps its send time moves only if its tags change.
          const sentAt = (random.chance(isAny ? 20 : 100) && sentAts.get(each)) || anySentAt(random);
          const tags = names.filter(() => random.chance(30));
          return campaign({ id: each, sentAt, subject: `${random.between(1, 1e6)}`, tags });
        }),
    );
  }
}

async function findSendTimes({ database }: World, id: number): Promise<Map<number, number>> {
  const rows = await database.query((queries) =>
    queries.selectFrom("campaigns").select(["id", "sent_at"]).where("organization_id", "=", id).execute(),
  );
  return new Map(rows.map((row) => [row.id, row.sent_at]));
}

interface Reading {
  world: World;
  id: number;
  states: States;
  /** Lets writers go on while the reader waits. */
  maybeWrite(): Promise<void>;
}

/** A reader asks for some pages, one after another. */
async function checkPages(reading: Reading, index: IndexCache, random: Random): Promise<void> {
  const { world, id, states, maybeWrite } = reading;
  const filter = await anyFilter(world, id, random);
  const perPage = random.between(1, 100);
  for (let pages = random.between(1, 3); pages > 0; pages--) {
    const organization = await load(world, id);
    await maybeWrite();
    const least = states.get(organization.revisionId) as State;
    const { length } = selectPlainly(least, filter);
    const page = random.between(1, Math.ceil(length / perPage) + 1);
    const { slices, count, total, revisionId } = await index.page(organization, filter, { page, perPage });
    await maybeWrite();
    const state = states.get(revisionId) as State;
    assert.ok(state.number >= least.number, "the page shows an earlier state");
    const expected = selectPlainly(state, filter);
    const onPage = expected.slice((page - 1) * perPage, page * perPage);
    assert.deepEqual(
      { records: String(Buffer.concat(slices)), count, total },
      {
        records: onPage.map(({ record }) => record).join(),
        ...{ count: onPage.length, total: expected.length },
      },
    );
  }
}

test("pages equal a plain selection of one state after random changes and restored backups, while writers go on, with little memory and with much", async (t) => {
  const world = await makeWorld(t);
  for (let seed = 1; seed <= randomCases(4); seed++) {
    const random = new Random(seed);
    const { id } = (await world.addOrganization()).organization;
    const states: States = new Map();
    await remember(world, id, states);
    let isBusy = false;
    let writing = Promise.resolve();
    /** Writers take turns, so that each state is remembered. */
    const maybeWrite = () => {
      if (isBusy && random.chance(20)) {
        writing = writing.then(() => change(world, id, random)).then(() => remember(world, id, states));
      }
      return writing;
    };
    const database: Database = {
      ...world.database,
      async query(work) {
        await maybeWrite();
        const result = await world.database.query(work);
        await maybeWrite();
        // Another reader may bring the index up to date before this one goes on.
        for (let turns = isBusy ? random.between(0, 30) : 0; turns > 0; turns--) await nextTurn();
        return result;
      },
    };
    const indexes = [new IndexCache(database, 1), new IndexCache(database, 1e9)];
    const reading = { world, id, states, maybeWrite };
    let restore = await backUp(world.database, id);
    for (let step = 0; step < 15; step++) {
      world.clock.now += random.between(0, 2);
      const dice = random.between(1, 100);
      if (dice <= 15) restore = await backUp(world.database, id);
      else if (dice <= 30) await restore();
      else await change(world, id, random);
      await remember(world, id, states);
      isBusy = random.chance(50);
      // Not always: an index may miss many changes, and a restored backup.
      const readers = indexes.filter(() => random.chance(70)).flatMap((index) => [index, index]);
      const read = (index: IndexCache, reader: number) =>
        checkPages(reading, index, new Random(100 * seed + 10 * step + reader));
      await Promise.all(readers.map(read));
    }
  }
});

test("catches up with more changes than one statement reads, and loads while campaigns change", async (t) => {
  const { world, organization } = await makeAcme(t);
  const many = (subject: string) =>
    Array.from({ length: 2_100 }, (_, at) =>
      campaign({ id: at + 1, sentAt: present - at, subject, tags: ["a"] }),
    );
  await world.save(organization, many("first"));
  const [tag] = await world.tagsOf(organization);
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
  const { world, organization } = await makeAcme(t);
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

test("finds campaigns by a tag that was deleted before a backup was restored, and renamed since", async (t) => {
  const world = await makeWorld(t);
  const { id } = (await world.addOrganization()).organization;
  await world.save(await load(world, id), [campaign({ id: 1, tags: ["a"] })]);
  const [tag] = await world.read({ id }, listTags);
  const tagId = tag?.id ?? 0;
  const write: World["database"]["transaction"] = (work) => {
    world.clock.now += 1_000;
    return world.database.transaction(work);
  };
  const index = new IndexCache(world.database, 1e9);
  const total = async () =>
    (await index.page(await load(world, id), { tagIds: [tagId] }, { page: 1, perPage: 1 })).total;
  const restore = await backUp(world.database, id);
  await write((queries) => removeTag(queries, { organizationId: id, id: tagId, now: world.clock.now }));
  assert.equal(await total(), 0);
  await restore();
  const change = { name: "b" };
  await write((queries) =>
    changeTag(queries, { organizationId: id, id: tagId, change, now: world.clock.now }),
  );
  assert.equal(await total(), 1);
});
