// SQLite rolls a transaction back in the middle of a batch: nothing of the batch remains.

import assert from "node:assert/strict";
import test from "node:test";
import { sql } from "kysely";
import { generateCampaign, generateEvents } from "../../support/generated-events.ts";
import { makeSqliteWorld, run } from "../../support/world.ts";

test("counts a batch once when it is retried after SQLite rolled it back on a full disk", async (t) => {
  const world = await makeSqliteWorld(t);
  const { organization } = await world.addOrganization();
  for (let id = 1; id <= 4; id++) await world.register(organization, id, { ...generateCampaign(id) });
  world.clock.now = Date.UTC(2026, 6, 1);
  const events = [...generateEvents(3_000, 4)];
  // Instead of filling the disk: a trigger rolls back the whole transaction, too.
  await world.database.transaction((queries) =>
    sql`create trigger full_disk before insert on recipients when (select count(*) from recipients) = 700
      begin select raise(rollback, 'full'); end`.execute(queries),
  );
  await assert.rejects(world.ingest(organization, events), /full/);
  await world.database.transaction((queries) => sql`drop trigger full_disk`.execute(queries));
  const { accepted, repeated } = await world.ingest(organization, events);
  assert.deepEqual([accepted, repeated], [3_000, 0]);
  assert.equal((await run(world.databaseUrl, "recount")).exitCode, 0);
});
