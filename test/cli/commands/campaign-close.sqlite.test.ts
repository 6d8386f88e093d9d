// `campaign close` on SQLite: the database file shrinks.

import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { countRows, open, opens } from "../../support/events.ts";
import { makeSqliteWorld, run, type World } from "../../support/world.ts";

/** The size of all database files together. */
function bytesOnDisk(world: World): number {
  const sizes = ["test.db", "test.db-wal"].map((file) => statSync(join(world.folder, file)).size);
  return sizes.reduce((sum, size) => sum + size, 0);
}

test("campaign close shrinks the SQLite file by the space the campaign used", async (t) => {
  const world = await makeSqliteWorld(t);
  const { organization } = await world.addOrganization();
  await world.register(organization, 1);
  await world.register(organization, 2);
  await world.ingest(organization, opens(100, { campaign_id: 2 }));
  await world.database.shrink();
  const before = bytesOnDisk(world);
  for (let first = 1; first <= 20_000; first += 5_000) {
    const some = Array.from({ length: 5_000 }, (_, index) => open(first + index));
    assert.equal((await world.ingest(organization, some)).accepted, 5_000);
  }
  await world.database.shrink();
  const full = bytesOnDisk(world);
  assert.ok(full - before > 1_500_000, `20,000 events took ${full - before} bytes`);

  const argv = "campaign close --yes --organization 1 --id 1";
  assert.equal((await run(world.databaseUrl, argv)).exitCode, 0);
  const after = bytesOnDisk(world);
  assert.ok(after - before < 50_000, `${after - before} of ${full - before} bytes are left`);
  assert.equal(statSync(join(world.folder, "test.db-wal")).size, 0);
  assert.deepEqual(await countRows(world, "ledgers", "event_ids", "recipients"), [1, 100, 100]);
  assert.equal((await run(world.databaseUrl, "recount")).exitCode, 0);
});
