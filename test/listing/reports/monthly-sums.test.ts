// The sums of campaigns month by month, and what is remembered of them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { formatMonth } from "../../../src/campaign/calendar/months.ts";
import type { ReportFilter } from "../../../src/listing/reports/monthly-sums.ts";
import { MonthlySumsCache } from "../../../src/listing/reports/monthly-sums-cache.ts";
import { TimelineCache } from "../../../src/listing/timeline/timeline-cache.ts";
import type { Database } from "../../../src/storage/database.ts";
import { findOrganization } from "../../../src/storage/organizations.ts";
import { campaign, makeWorld, type World } from "../../support/world.ts";

async function summarizing(world: World, id: number) {
  let looks = 0;
  const { database } = world;
  const query: Database["query"] = (work) => {
    looks++;
    return database.query(work);
  };
  const counting = { ...database, query };
  const timelines = new TimelineCache(database, 1_000_000);
  const summaries = new MonthlySumsCache(counting);
  return {
    looks: () => looks,
    async of(filter: ReportFilter = { selection: {} }, now = world.clock.now) {
      const organization = await database.query((queries) => findOrganization(queries, id));
      if (!organization) throw new Error("no organization");
      const timeline = await timelines.current(organization);
      const months = await summaries.get(organization, timeline, filter, now);
      return months.map(({ month, sums }) => `${formatMonth(month)}: ${sums.campaigns}, ${sums.opens}`);
    },
  };
}

const at = (time: string) => Date.parse(time);

test("Campaigns are summed by the months of the time zone, those of other organizations and of the future never", async (t) => {
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
  const { of } = await summarizing(world, organization.id);
  assert.deepEqual(await of(), ["Dec 2025: 1, 1", "Jan 2026: 2, 6", "Mar 2026: 1, 8"]);
  assert.deepEqual(await of({ selection: { sentFrom: at("2026-01-01T05:00:00Z") } }), [
    "Jan 2026: 2, 6",
    "Mar 2026: 1, 8",
  ]);
  assert.deepEqual(await of({ selection: {} }, world.clock.now + 1), [
    "Dec 2025: 1, 1",
    "Jan 2026: 2, 6",
    "Mar 2026: 1, 8",
    "Jun 2026: 1, 16",
  ]);
});

test("More campaigns than are read at once are all summed, each once", async (t) => {
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
  const { of } = await summarizing(world, organization.id);
  assert.deepEqual(await of(), ["Jan 2026: 1203, 1203"]);
});

test("A team and tags choose: only the team, and any of the tags", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  const sentAt = at("2026-02-01T00:00:00Z");
  await world.save(organization, [
    campaign({ id: 1, sentAt, team: "A", tags: ["x"], metrics: { unique_opens: 1 } }),
    campaign({ id: 2, sentAt, team: "B", tags: ["x", "y"], metrics: { unique_opens: 2 } }),
    campaign({ id: 3, sentAt, team: null, tags: [], metrics: { unique_opens: 4 } }),
  ]);
  const { of } = await summarizing(world, organization.id);
  assert.deepEqual(await of({ selection: {}, team: "A" }), ["Feb 2026: 1, 1"]);
  assert.deepEqual(await of({ selection: {}, team: "nobody" }), []);
  assert.deepEqual(await of({ selection: { tagIds: [1, 2] } }), ["Feb 2026: 2, 3"]);
  assert.deepEqual(await of({ selection: { tagIds: [] } }), []);
});

test("The same sums are not read again until something changes, and many that ask at once wait for one reading", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  const sentAt = at("2026-02-01T00:00:00Z");
  await world.save(organization, [campaign({ id: 1, sentAt, metrics: { unique_opens: 1 } })]);
  const { of, looks } = await summarizing(world, organization.id);
  await Promise.all([of(), of(), of()]);
  const first = looks();
  assert.equal(first, 2, "one batch, and whether anything has changed");
  await of();
  assert.equal(looks(), first);
  await world.save(organization, [campaign({ id: 1, sentAt, metrics: { unique_opens: 5 } })]);
  assert.deepEqual(await of(), ["Feb 2026: 1, 5"]);
  assert.ok(looks() > first);
});

test("What is remembered is bounded: the sums that were asked for longest ago are read again", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  await world.save(organization, [campaign({ id: 1, sentAt: at("2026-02-01T00:00:00Z") })]);
  const { of, looks } = await summarizing(world, organization.id);
  const ask = async (name: number) => {
    const before = looks();
    await of({ selection: {}, team: String(name) });
    return looks() > before ? "read" : "remembered";
  };
  for (let name = 1; name <= 200; name++) assert.equal(await ask(name), "read");
  assert.equal(await ask(1), "remembered");
  assert.equal(await ask(201), "read");
  assert.equal(await ask(1), "remembered");
  assert.equal(await ask(2), "read");
});
