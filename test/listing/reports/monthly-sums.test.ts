// Monthly sums of campaigns, and their cache.

import assert from "node:assert/strict";
import { test } from "node:test";
import { formatMonth } from "../../../src/campaign/calendar/months.ts";
import type { ReportFilter } from "../../../src/listing/reports/monthly-sums.ts";
import { MonthlySumsCache } from "../../../src/listing/reports/monthly-sums-cache.ts";
import { TimelineCache } from "../../../src/listing/timeline/timeline-cache.ts";
import type { Database } from "../../../src/storage/database.ts";
import { findOrganization } from "../../../src/storage/organizations.ts";
import { campaign, makeWorld, type World } from "../../support/world.ts";

async function worldWithSums(world: World, id: number) {
  let queries = 0;
  const { database } = world;
  const query: Database["query"] = (work) => {
    queries++;
    return database.query(work);
  };
  const counting = { ...database, query };
  const timelines = new TimelineCache(database, 1_000_000);
  const cache = new MonthlySumsCache(counting);
  return {
    queries: () => queries,
    async sums(filter: ReportFilter = { selection: {} }, now = world.clock.now) {
      const organization = await database.query((queries) => findOrganization(queries, id));
      if (!organization) throw new Error("no organization");
      const timeline = await timelines.current(organization);
      const months = await cache.get(organization, timeline, filter, now);
      return months.map(({ month, sums }) => `${formatMonth(month)}: ${sums.campaigns}, ${sums.opens}`);
    },
  };
}

const at = (time: string) => Date.parse(time);

test("sums campaigns by month in local time, without scheduled ones and those of other organizations", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization({ timeZone: "America/New_York" });
  const other = await world.addOrganization();
  const opens = (unique_opens: number) => ({ metrics: { unique_opens } });
  await world.save(organization, [
    campaign({ id: 1, sentAt: at("2026-01-01T04:59:59Z"), ...opens(1) }),
    campaign({ id: 2, sentAt: at("2026-01-01T05:00:00Z"), ...opens(2) }),
    campaign({ id: 3, sentAt: at("2026-01-31T12:00:00Z"), ...opens(4) }),
    campaign({ id: 4, sentAt: at("2026-04-01T03:59:59Z"), ...opens(8) }),
    campaign({ id: 5, sentAt: world.clock.now + 1, ...opens(16) }),
  ]);
  await world.save(other.organization, [campaign({ id: 1, sentAt: at("2026-01-01T05:00:00Z") })]);
  const { sums } = await worldWithSums(world, organization.id);
  assert.deepEqual(await sums(), ["Dec 2025: 1, 1", "Jan 2026: 2, 6", "Mar 2026: 1, 8"]);
  assert.deepEqual(await sums({ selection: { sentFrom: at("2026-01-01T05:00:00Z") } }), [
    "Jan 2026: 2, 6",
    "Mar 2026: 1, 8",
  ]);
  assert.deepEqual(await sums({ selection: {} }, world.clock.now + 1), [
    "Dec 2025: 1, 1",
    "Jan 2026: 2, 6",
    "Mar 2026: 1, 8",
    "Jun 2026: 1, 16",
  ]);
});

test("sums every campaign once when there are several batches", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  const campaigns = Array.from({ length: 1_203 }, (_, index) =>
    campaign({
      id: index + 1,
      sentAt: at("2026-01-01T00:00:00Z") + Math.floor(index / 3) * 1_000,
      metrics: { unique_opens: 1 },
    }),
  );
  await world.save(organization, campaigns);
  const { sums } = await worldWithSums(world, organization.id);
  assert.deepEqual(await sums(), ["Jan 2026: 1203, 1203"]);
});

test("filters by team and by any of several tags", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  const sentAt = at("2026-02-01T00:00:00Z");
  await world.save(organization, [
    campaign({ id: 1, sentAt, team: "A", tags: ["x"], metrics: { unique_opens: 1 } }),
    campaign({ id: 2, sentAt, team: "B", tags: ["x", "y"], metrics: { unique_opens: 2 } }),
    campaign({ id: 3, sentAt, team: null, tags: [], metrics: { unique_opens: 4 } }),
  ]);
  const { sums } = await worldWithSums(world, organization.id);
  assert.deepEqual(await sums({ selection: {}, team: "A" }), ["Feb 2026: 1, 1"]);
  assert.deepEqual(await sums({ selection: {}, team: "none" }), []);
  assert.deepEqual(await sums({ selection: { tagIds: [1, 2] } }), ["Feb 2026: 2, 3"]);
  assert.deepEqual(await sums({ selection: { tagIds: [] } }), []);
});

test("shares one query among concurrent callers, and caches sums until the data changes", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  const sentAt = at("2026-02-01T00:00:00Z");
  await world.save(organization, [campaign({ id: 1, sentAt, metrics: { unique_opens: 1 } })]);
  const { sums, queries } = await worldWithSums(world, organization.id);
  await Promise.all([sums(), sums(), sums()]);
  const first = queries();
  assert.equal(first, 2, "one batch, and one check for changes");
  await sums();
  assert.equal(queries(), first);
  await world.save(organization, [campaign({ id: 1, sentAt, metrics: { unique_opens: 5 } })]);
  assert.deepEqual(await sums(), ["Feb 2026: 1, 5"]);
  assert.ok(queries() > first);
});

test("evicts the least recently used sums when the cache is full", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  await world.save(organization, [campaign({ id: 1, sentAt: at("2026-02-01T00:00:00Z") })]);
  const { sums, queries } = await worldWithSums(world, organization.id);
  const lookUp = async (name: number) => {
    const before = queries();
    await sums({ selection: {}, team: String(name) });
    return queries() > before ? "queried" : "cached";
  };
  for (let name = 1; name <= 200; name++) assert.equal(await lookUp(name), "queried");
  assert.equal(await lookUp(1), "cached");
  assert.equal(await lookUp(201), "queried");
  assert.equal(await lookUp(1), "cached");
  assert.equal(await lookUp(2), "queried");
});
