// Cached numbers: after any history on two processes they are those of the database, and changes are never lost.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { sql } from "kysely";
import { tallyNames } from "../../../src/campaign/events/tally.ts";
import { trafficFilters } from "../../../src/campaign/events/traffic.ts";
import { foldCase } from "../../../src/campaign/fold-case.ts";
import { metricNames } from "../../../src/campaign/metrics.ts";
import { changeOrganization, startNewHistory } from "../../../src/counting/campaigns/change-organization.ts";
import { closeCampaign } from "../../../src/counting/campaigns/close-campaigns.ts";
import { removeCampaign } from "../../../src/counting/campaigns/remove-campaign.ts";
import { listAt, valueAt } from "../../../src/listing/numbers/dictionary-column.ts";
import { decodeColumn } from "../../../src/listing/numbers/number-column.ts";
import { columnOf, type NumberField } from "../../../src/listing/numbers/number-fields.ts";
import { NumbersCache } from "../../../src/listing/numbers/numbers-cache.ts";
import { maxChunkSize, type NumbersChunk } from "../../../src/listing/numbers/numbers-chunk.ts";
import type { NumbersTable } from "../../../src/listing/numbers/numbers-table.ts";
import { subjectAt } from "../../../src/listing/numbers/subject-column.ts";
import { OpenTimesReader } from "../../../src/listing/reports/open-times.ts";
import { readAllCampaigns } from "../../../src/storage/campaigns/campaigns.ts";
import { saveChanges } from "../../../src/storage/campaigns/changes.ts";
import type { StoredCampaign } from "../../../src/storage/campaigns/stored-campaign.ts";
import type { Database } from "../../../src/storage/database.ts";
import { findOrganization, lockOrganization, type Organization } from "../../../src/storage/organizations.ts";
import { raiseRevision } from "../../../src/storage/revisions.ts";
import { listTags } from "../../../src/storage/tags.ts";
import { backUp } from "../../support/back-up.ts";
import { changeTag, deleteTag } from "../../support/change-tag.ts";
import { Random } from "../../support/histories.ts";
import { randomCases } from "../../support/random-cases.ts";
import { campaign, makeWorld, makeWorldOn, present, type World } from "../../support/world.ts";

/** What is kept of a campaign, in plain values. */
function kept({ campaign, numbers, tags, counting }: StoredCampaign) {
  const [reported, tallies] = "reported" in numbers ? [numbers.reported, null] : [null, numbers.tallies];
  const { id, sentAt, subject, team, sendingType, trackingType, recipientCount, surveysCount } = campaign;
  return {
    ...{ id, sentAt, team, sendingType, trackingType, recipientCount, surveysCount },
    subject: foldCase(subject),
    kind: counting === null ? "reported" : counting.ledgerId === null ? "closed" : "counted",
    tagIds: tags.map((tag) => tag.id).sort((a, b) => a - b),
    groups: (campaign.recipients ?? "").split(", ").filter((name) => name !== ""),
    reported: metricNames.map((name) => reported?.[name] ?? null),
    tallies: trafficFilters.flatMap((traffic) => tallyNames.map((name) => tallies?.[traffic][name] ?? null)),
  };
}

function keptIn(chunk: NumbersChunk, at: number): ReturnType<typeof kept> {
  const number = (field: NumberField) => {
    const values = new Float64Array(maxChunkSize);
    decodeColumn(chunk.numbers[columnOf(field)] ?? Number.NaN, values);
    return Number.isNaN(values[at]) ? null : (values[at] as number);
  };
  return {
    id: chunk.ids[at] as number,
    sentAt: chunk.times[at] as number,
    team: valueAt(chunk.texts.team, at),
    sendingType: valueAt(chunk.texts.sendingType, at),
    trackingType: valueAt(chunk.texts.trackingType, at),
    recipientCount: number("recipientCount"),
    surveysCount: number("surveysCount"),
    subject: subjectAt(chunk.subjects, at),
    kind: valueAt(chunk.texts.kind, at),
    tagIds: listAt(chunk.tagIds, at).sort((a, b) => a - b),
    groups: listAt(chunk.groups, at),
    reported: metricNames.map((name) => number(`reported.${name}`)),
    tallies: trafficFilters.flatMap((traffic) => tallyNames.map((name) => number(`${traffic}.${name}`))),
  };
}

const allIn = ({ chunks }: NumbersTable) =>
  chunks.flatMap((chunk) => Array.from(chunk.ids, (_, at) => keptIn(chunk, at)));

/** The oracle: the campaigns of the database, oldest first. */
async function allStored(database: Database, { id }: Organization) {
  return database.snapshot(async (queries) => {
    const campaigns: ReturnType<typeof kept>[] = [];
    for await (const stored of readAllCampaigns(queries, id)) campaigns.push(kept(stored));
    return campaigns.reverse();
  });
}

async function load(database: Database, { id }: Organization): Promise<Organization> {
  return (await database.snapshot((queries) => findOrganization(queries, id))) as Organization;
}

const teams = ["A", "B", "", "\u00c4rger"];
const groups = ["Everybody", "Everybody, Sales", "Sales, Headquarters", null];

function randomCampaign(random: Random, id: number) {
  const number = () =>
    random.pick([null, 0, random.between(1, 300), random.between(1, 90_000), 0.1 + 0.2, 5e9]);
  return campaign({
    id,
    subject: random.pick(["News", "\u0130stanbul", "stra\u00dfe \u03a3", ""]),
    sentAt: present + random.between(-5, 0) * 60_000,
    team: random.pick([null, ...teams]),
    recipientCount: random.pick([null, 0, 100, 70_000]),
    recipients: random.pick(groups),
    surveysCount: random.pick([null, 0, 2]),
    tags: random.shuffle(["x", "y", "z"]).slice(0, random.between(0, 3)),
    metrics: Object.fromEntries(metricNames.map((name) => [name, number()])),
  });
}

/** A change on one of the processes. */
type Step = (world: World, organization: Organization, random: Random) => Promise<unknown>;

const steps: Step[] = [
  (world, organization, random) =>
    world.save(
      organization,
      Array.from({ length: random.between(1, 4) }, (_, index) =>
        randomCampaign(random, 4 * random.between(0, 1) + index + 1),
      ),
    ),
  (world, organization, random) =>
    world.register(organization, 100 + random.between(1, 4), {
      team: random.pick(teams.slice(0, 2)),
      sent_at: new Date(present - random.between(1, 3) * 60_000).toISOString(),
      tags: random.pick([[], ["x"], ["y", "z"]]),
    }),
  (world, organization, random) =>
    world.ingest(
      organization,
      Array.from({ length: 3 }, () => ({
        id: String(random.between(1, 1e9)),
        campaign_id: 100 + random.between(1, 4),
        recipient: `r${random.between(1, 9)}@example.com`,
        at: new Date(present).toISOString(),
        ...random.pick([
          { type: "open" },
          { type: "open", machine: true },
          { type: "click", url: "https://example.com/" },
          { type: "survey", survey_id: "s", kind: "enps", score: random.between(0, 10) },
        ]),
      })),
    ),
  (world, { id }, random) =>
    world.database.transaction((queries) =>
      removeCampaign(queries, id, random.pick([0, 4, 100]) + random.between(1, 4), world.clock.now),
    ),
  (world, { id: organizationId }, random) =>
    world.database.transaction(async (queries) => {
      const [tag] = random.shuffle(await listTags(queries, organizationId));
      const change = { name: `tag ${random.between(1, 1e9)}` };
      const now = world.clock.now;
      if (tag && random.chance(50)) await deleteTag(queries, { organizationId, id: tag.id, now });
      else if (tag) await changeTag(queries, { organizationId, id: tag.id, change, now });
    }),
  (world, { id }, random) =>
    world.database.transaction(async (queries) => {
      const locked = await lockOrganization(queries, id);
      // A campaign that does not exist or is closed is refused.
      if (locked)
        await closeCampaign(queries, locked, 100 + random.between(1, 4), world.clock.now).catch(() => 0);
    }),
  (world, { id }, random) =>
    world.database.transaction(async (queries) => {
      const locked = await lockOrganization(queries, id);
      const countedTraffic = random.pick(trafficFilters);
      if (locked) await changeOrganization(queries, id, { countedTraffic }, world.clock.now);
    }),
  (world, { id }, random) =>
    random.chance(10)
      ? world.database.transaction((queries) => startNewHistory(queries, id, world.clock.now))
      : Promise.resolve(),
];

test("numbers are those of the database after random changes by two processes and restored backups", async (t) => {
  const first = await makeWorld(t);
  const second = await makeWorldOn(t, first.databaseUrl, first.clock);
  const caches = [first, second].map((world) => ({ world, cache: new NumbersCache(world.database, 1e6) }));
  for (let seed = 1; seed <= randomCases(6); seed++) {
    const random = new Random(seed);
    const { organization } = await first.addOrganization();
    let restore = await backUp(first.database, organization.id);
    for (let step = 0; step < 12; step++) {
      const chance = random.between(1, 5);
      if (chance === 1) restore = await backUp(first.database, organization.id);
      if (chance === 2) await restore();
      const change = random.pick(steps)(random.pick([first, second]), organization, random);
      // A page reads while the other process writes.
      const { world: reading, cache } = random.pick(caches);
      const read = load(reading.database, organization).then((current) => cache.current(current));
      await Promise.all([change, read]);
      if (random.chance(50)) first.clock.now += random.between(0, 2);
      const current = await load(first.database, organization);
      const { cache: late } = random.pick(caches);
      assert.deepEqual(
        allIn(await late.current(current)),
        await allStored(first.database, organization),
        `seed ${seed}, step ${step}`,
      );
    }
  }
});

/** A cache of the numbers of a new organization, which are compared with its database. */
async function worldWithCache(test: TestContext) {
  const world = await makeWorld(test);
  const { organization } = await world.addOrganization();
  const cache = new NumbersCache(world.database, 1e9);
  const check = async () => {
    const numbers = await cache.current(await load(world.database, organization));
    assert.deepEqual(allIn(numbers), await allStored(world.database, organization));
    return numbers;
  };
  await world.save(organization, [campaign({ id: 1 }), campaign({ id: 2, subject: "Second" })]);
  return { world, organization, check };
}

test("numbers load again after very many changes, and catch up with those made meanwhile", async (t) => {
  const { world, organization, check } = await worldWithCache(t);
  const [first] = (await check()).chunks;
  const many = Array.from({ length: 2_000 }, (_, index) => campaign({ id: 10 + index, sentAt: present }));
  await world.save(organization, many);
  const numbers = await check();
  assert.notEqual(numbers.chunks[0], first);
  assert.ok(numbers.bytes / numbers.size < 250, `${numbers.bytes / numbers.size} bytes per campaign`);

  // All campaigns change with every batch: catching up takes two parts, and reloading would never end.
  let batches = 0;
  const query: Database["query"] = async (work) => {
    const batch = await world.database.query(work);
    batches += 1;
    await world.database.transaction(async (queries) => {
      await raiseRevision(queries, organization.id, present + batches);
      const where = sql`where organization_id = ${organization.id}`;
      await sql`update campaigns set recipient_count = ${batches} ${where}`.execute(queries);
      await saveChanges(
        queries,
        organization.id,
        [1, 2, ...many.map(({ campaign }) => campaign.id)].map((id) => ({
          id,
          sentAt: present,
          isMoved: false,
        })),
      );
    });
    return batch;
  };
  const busy = new NumbersCache({ ...world.database, query }, 1e9);
  const current = await busy.current(await load(world.database, organization));
  assert.deepEqual(allIn(current), await allStored(world.database, organization));
  assert.equal(batches, 4, "it loaded once");
});

test("numbers are right after a backup is restored, whatever changes before they are read", async (t) => {
  const { world, organization, check } = await worldWithCache(t);
  const save = (id: number, subject: string) => world.save(organization, [campaign({ id, subject })]);
  const restore = await backUp(world.database, organization.id);
  const revision = async () => (await load(world.database, organization)).revision;
  await save(2, "Lost");
  const lost = await revision();
  await check();
  await restore();
  await check();

  await save(2, "Lost");
  await check();
  await restore();
  world.clock.now += 5;
  await save(1, "Kept");
  assert.ok((await revision()) > lost, "the next change has a higher revision than the lost one");
  await check();

  await restore();
  world.clock.now -= 5;
  await save(2, "Lost");
  await check();
  await restore();
  await save(1, "Kept");
  assert.equal(await revision(), lost, "a clock was wrong: the revision repeats");
  await save(3, "Kept");
  await check();
});

test("open times are right after a backup is restored and a revision repeats", async (t) => {
  const { world, organization } = await worldWithCache(t);
  await world.register(organization, 100);
  const restore = await backUp(world.database, organization.id);
  const reader = new OpenTimesReader(world.database);
  const open = (...recipients: string[]) =>
    world.ingest(
      organization,
      recipients.map((recipient) => {
        return {
          id: recipient,
          campaign_id: 100,
          recipient,
          type: "open",
          at: new Date(present).toISOString(),
        };
      }),
    );
  const read = async () => {
    const { hours } = await reader.read(organization, [100]);
    const { revision } = await load(world.database, organization);
    return { opens: hours.all.reduce((sum, count) => sum + count), revision };
  };
  await open("lost@example.com");
  const lost = await read();
  assert.equal(lost.opens, 1);
  await restore();
  await open("a@example.com", "b@example.com");
  assert.deepEqual(await read(), { opens: 2, revision: lost.revision });
});

test("the least recently used numbers are evicted when they take too much memory", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  const other = (await world.addOrganization({ name: "Other" })).organization;
  for (const each of [organization, other]) await world.save(each, [campaign({ id: 1 })]);
  for (const [maxBytes, isKept] of [
    [1_000_000, true],
    [1, false],
  ] as const) {
    const cache = new NumbersCache(world.database, maxBytes);
    const current = async (of: Organization) => cache.current(await load(world.database, of));
    const first = await current(organization);
    assert.equal(await current(organization), first);
    await current(other);
    assert.equal((await current(organization)) === first, isKept);
    assert.equal(cache.bytes > first.bytes, isKept);
  }
});
