// Campaigns that were counted before their hours and links were kept: nothing is ever taken away that was never added.

import assert from "node:assert/strict";
import test from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { hourMs } from "../../../src/campaign/calendar/durations.ts";
import { verdictOf } from "../../../src/campaign/events/activity.ts";
import { closeCampaign } from "../../../src/counting/campaigns/close-campaigns.ts";
import { forgetRecipient } from "../../../src/counting/campaigns/forget-recipient.ts";
import { completeActivity } from "../../../src/counting/events/complete-activity.ts";
import { startUpkeep } from "../../../src/counting/upkeep.ts";
import { findLinks } from "../../../src/storage/campaigns/campaign-links.ts";
import { findCampaigns } from "../../../src/storage/campaigns/campaigns.ts";
import {
  addLedger,
  findLedgers,
  findLedgerWithoutActivity,
  findOpenLedgers,
} from "../../../src/storage/ledgers.ts";
import type { Organization } from "../../../src/storage/organizations.ts";
import { Random } from "../../support/histories.ts";
import { readHours } from "../../support/hours.ts";
import { makeWorld, present, type World } from "../../support/world.ts";

let clicks = 0;

const click = (recipient: string, given: Record<string, unknown> = {}) => {
  clicks += 1;
  return {
    id: `c-${clicks}`,
    campaign_id: 1,
    recipient: `${recipient}@example.com`,
    type: "click",
    at: new Date(present - hourMs + clicks * 60_000).toISOString(),
    url: "https://example.com/a",
    ...given,
  };
};

/** As an earlier version left the database, and the step to this one. */
const upgrade = ({ database }: World) =>
  database.transaction(async (queries) => {
    await sql`delete from campaign_hours`.execute(queries);
    await sql`delete from campaign_links`.execute(queries);
    await sql`update ledgers set activity_after = ''`.execute(queries);
  });

const complete = ({ database }: World) =>
  database.transaction((queries) => completeActivity(queries, present + 1_000_000));

/** The clicks of the tally, of the hours and of the links; nothing is ever below 0. */
async function clicksOf({ database }: World, { id }: Organization) {
  return database.snapshot(async (queries) => {
    const [stored] = await findCampaigns(queries, id, [1]);
    assert.ok(stored && "counted" in stored.numbers);
    const { people, all } = stored.numbers.counted;
    const hours = { people: 0, all: 0 };
    for (const each of await readHours(queries, id, 1)) {
      assert.ok(each.count > 0);
      if (each.activity === "open") continue;
      hours.all += each.count;
      if (verdictOf(each.verdict).isHuman) hours.people += each.count;
    }
    const links = { people: 0, all: 0 };
    const found = await findLinks(queries, id, 1);
    for (const each of found) {
      assert.ok(each.people >= 0 && each.all >= each.people);
      links.people += each.people;
      links.all += each.all;
    }
    const tally = { people: people.totalClicks, all: all.totalClicks };
    return { tally, hours, links, urls: found.map(({ url }) => url).sort() };
  });
}

test("after an upgrade later clicks that change verdicts hide nobody's, and hours and links become whole", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  await world.register(organization, 1);
  await world.ingest(organization, [
    click("ann"),
    click("bob", { url: "https://example.com/b" }),
    click("bob"),
    click("cid", { url: "https://example.com/c" }),
  ]);
  await upgrade(world);
  const hidden = { hidden: true, url: "https://example.com/hidden" };
  await world.ingest(organization, [click("ann", hidden), click("new"), click("new", hidden)]);
  const none = { people: 0, all: 0 };
  const before = await clicksOf(world, organization);
  assert.deepEqual([before.tally, before.hours, before.links], [{ people: 3, all: 7 }, none, none]);
  assert.equal(await complete(world), true);
  assert.equal(await complete(world), false);
  const after = await clicksOf(world, organization);
  assert.deepEqual([after.hours, after.links], [after.tally, after.tally]);
  // Of those that nobody has clicked since, the address is not known.
  assert.deepEqual(after.urls, ["", "", "https://example.com/a", "https://example.com/hidden"]);
  await world.ingest(organization, [
    click("bob", hidden),
    click("eve", { url: "https://example.com/b?who=eve" }),
    click("eve", { url: "https://example.com/c" }),
  ]);
  const later = await clicksOf(world, organization);
  assert.deepEqual([later.hours, later.links], [later.tally, later.tally]);
  assert.deepEqual(
    later.urls,
    ["a", "b", "c", "hidden"].map((path) => `https://example.com/${path}`),
  );
});

test("links whose numbers an earlier version made are counted with all others, and take no row of their own", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  await world.register(organization, 1);
  await world.ingest(organization, [click("ann")]);
  await upgrade(world);
  const done = {
    clicks: Array.from({ length: 600 }, (_, index) => [index * 60_000, 2 ** 47 + index, "person"]),
  };
  await world.database.transaction((queries) =>
    sql`update recipients set done = ${JSON.stringify(done)}`.execute(queries),
  );
  await complete(world);
  await world.ingest(organization, [click("ann"), click("bob", { url: "https://example.com/b" })]);
  const { links, urls } = await clicksOf(world, organization);
  assert.deepEqual(links, { people: 602, all: 602 });
  assert.deepEqual(urls, ["", "https://example.com/a", "https://example.com/b"]);
});

test("while a large campaign is gone through, events and the forgetting of people leave nothing out and count nothing twice", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  await world.register(organization, 1);
  const random = new Random(3);
  const someone = () => `${random.from(0, 1_400)}`;
  const some = (count: number) =>
    Array.from({ length: count }, () =>
      click(someone(), {
        url: `https://example.com/${random.from(0, 9)}`,
        at: new Date(present - random.from(0, 3_600) * 1_000).toISOString(),
        hidden: random.from(0, 20) === 0,
      }),
    );
  await world.ingest(organization, some(900));
  await world.ingest(organization, some(900));
  await upgrade(world);
  for (let more = true; more; ) {
    await world.ingest(organization, some(200));
    for (let count = 0; count < 20; count++) {
      await world.database.transaction((queries) =>
        forgetRecipient(queries, organization, `${someone()}@example.com`, world.clock.now),
      );
    }
    await clicksOf(world, organization);
    more = await complete(world);
  }
  const { tally, hours, links } = await clicksOf(world, organization);
  assert.deepEqual([hours, links], [tally, tally]);
  const [ledger] = await world.database.snapshot((queries) => findOpenLedgers(queries, organization.id));
  assert.equal(ledger?.activityAfter, null);
  assert.ok((ledger?.forgotten ?? 0) > 20);
});

test("names that PostgreSQL and JavaScript would put in another order have their turn once", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  await world.register(organization, 1);
  const names = ["\uffee", "\u{1f600}", "z", "\u00e9"].flatMap((letter) =>
    Array.from({ length: 200 }, (_, index) => `${letter}${index}`),
  );
  await world.ingest(
    organization,
    names.map((name) => click(name)),
  );
  await upgrade(world);
  await complete(world);
  await world.ingest(
    organization,
    names.map((name) => click(name, { hidden: true })),
  );
  while (await complete(world));
  const { tally, hours, links } = await clicksOf(world, organization);
  assert.deepEqual([tally.people, tally.all], [0, 1_600]);
  assert.deepEqual([hours, links], [tally, tally]);
});

test("the upkeep completes what it finds, whichever campaign it is of, and what was closed meanwhile is left as it is", async (t) => {
  const world = await makeWorld(t);
  const organizations = [];
  for (const name of ["Acme", "Globex", "Initech"]) {
    const { organization } = await world.addOrganization({ name });
    await world.register(organization, 1);
    await world.ingest(organization, [click("ann"), click("bob")]);
    organizations.push(organization);
  }
  await upgrade(world);
  const [closed, ...open] = organizations as [Organization, Organization, Organization];
  await world.database.transaction((queries) => closeCampaign(queries, closed, 1, present));
  const failures: Error[] = [];
  const upkeep = startUpkeep({ url: world.databaseUrl }, (error) => failures.push(error));
  while (await world.database.snapshot(findLedgerWithoutActivity)) await pause(20);
  await upkeep.stop();
  assert.deepEqual(failures, []);
  for (const organization of open) {
    const { tally, links } = await clicksOf(world, organization);
    assert.deepEqual([tally, links], [{ people: 2, all: 2 }, tally]);
  }
  assert.deepEqual((await clicksOf(world, closed)).links, { people: 0, all: 0 });
});

test("a ledger that is older than this has none of its clicks in hours and links, a new one all", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  const added = await world.database.transaction((queries) => addLedger(queries, organization.id));
  const { id } = organization;
  await world.database.transaction((queries) =>
    sql`insert into ledgers (organization_id, id, secret, forgotten) values (${id}, ${added.id + 1}, 'secret', 0)`.execute(
      queries,
    ),
  );
  const ids = [added.id, added.id + 1];
  const found = await world.database.snapshot((queries) => findLedgers(queries, id, ids));
  assert.deepEqual(
    ids.map((each) => found.get(each)?.activityAfter),
    [null, ""],
  );
  // It belongs to no campaign: nobody waits for it.
  await complete(world);
  assert.equal(await complete(world), false);
});
