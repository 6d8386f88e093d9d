// Deleted data is wiped from the unused bytes of database pages as well. SQLite splits a page by copying rows to another
// page. `secure_delete` wipes only the deleted row, not the copy that remained on the old page.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import type { Organization } from "../../../src/storage/organizations/organizations.ts";
import { open } from "../../support/events.ts";
import { placesWith, storedBytes } from "../../support/stored-bytes.ts";
import { makeSqliteWorld, run, type World } from "../../support/world.ts";

const eventsPerBatch = 100;

/** Each recipient opens three times, in an order that splits many pages. */
async function scatter(
  world: World,
  organization: Organization,
  { campaigns, recipients }: { campaigns: number; recipients: number },
): Promise<void> {
  for (let id = 1; id <= campaigns; id++) await world.register(organization, id);
  for (let start = 0; start < 3 * recipients; start += eventsPerBatch) {
    const some = Array.from({ length: eventsPerBatch }, (_, index) => {
      const number = start + index;
      const scattered = Math.imul((number % recipients) + 1, 2_654_435_761) >>> 0;
      const campaign_id = 1 + (scattered % campaigns);
      const recipient = `of-${campaign_id}-${scattered.toString(36)}@example.com`;
      return open(number, { campaign_id, recipient });
    });
    await world.ingest(organization, some);
  }
  await world.database.shrink();
}

/** Every occurrence of an address in the database file, with its campaign. */
function addressesIn(world: World): { address: string; campaign: number }[] {
  const bytes = readFileSync(join(world.folder, "test.db"), "latin1");
  const found = bytes.matchAll(/of-(\d+)-\w+@example\.com/g);
  return [...found].map(([address, campaign]) => ({ address, campaign: Number(campaign) }));
}

test("recipient forget wipes the address from all pages, including split ones", async (t) => {
  const world = await makeSqliteWorld(t);
  const { organization } = await world.addOrganization();
  await scatter(world, organization, { campaigns: 3, recipients: 1_000 });
  const places = Map.groupBy(addressesIn(world), ({ address }) => address);
  assert.equal(places.size, 1_000);
  const twice = [...places].filter(([, found]) => found.length > 1).map(([address]) => address);
  const forgotten = [...twice, ...[...places.keys()].slice(0, 3)];
  for (const address of forgotten) {
    await run(world.databaseUrl, ["recipient", "forget", "--yes", "--organization", "1", address]);
  }
  const stored = await storedBytes(world);
  const left = forgotten.filter((address) => [...stored.values()].some((bytes) => bytes.includes(address)));
  assert.deepEqual(left, []);
});

test("campaign close and delete wipe all addresses from pages shared with other campaigns", async (t) => {
  const world = await makeSqliteWorld(t);
  const { organization } = await world.addOrganization();
  await scatter(world, organization, { campaigns: 14, recipients: 1_400 });
  for (let id = 2; id <= 14; id += 2) {
    const verb = id % 4 === 0 ? "close" : "delete";
    const argv = ["campaign", verb, "--organization", "1", "--id", String(id), "--yes"];
    assert.equal((await run(world.databaseUrl, argv)).exitCode, 0);
  }
  const [gone, kept] = [0, 1].map((rest) =>
    addressesIn(world).filter(({ campaign }) => campaign % 2 === rest),
  );
  assert.deepEqual(gone, []);
  assert.equal(new Set(kept?.map(({ address }) => address)).size, 700);
});

test("organization delete wipes its addresses from all files", async (t) => {
  const world = await makeSqliteWorld(t);
  const { organization } = await world.addOrganization();
  const { organization: other } = await world.addOrganization({ name: "Globex" });
  for (const each of [organization, other]) await world.register(each, 1);
  await world.ingest(organization, [open(1, { recipient: "ann@example.com" })]);
  await world.ingest(other, [open(1, { recipient: "bob@example.com" })]);
  await run(world.databaseUrl, "organization delete --organization 1 --yes");
  assert.deepEqual(await placesWith(world, "ann@example.com"), []);
  assert.notDeepEqual(await placesWith(world, "bob@example.com"), []);
});
