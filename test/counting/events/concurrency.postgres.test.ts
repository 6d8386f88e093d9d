// Concurrent processes, and a failure in one part of a batch.

import assert from "node:assert/strict";
import test from "node:test";
import { sql } from "kysely";
import { purgeRetiredLedger } from "../../../src/counting/campaigns/purge-retired-ledger.ts";
import { generateCampaign, generateEvents } from "../../support/generated-events.ts";
import { notOnCitus } from "../../support/not-on-citus.ts";
import { makeAcme, type makeWorld, run } from "../../support/world.ts";

async function counted(t: Parameters<typeof makeWorld>[0]) {
  const { world, organization } = await makeAcme(t);
  for (let id = 1; id <= 4; id++) await world.register(organization, id, { ...generateCampaign(id) });
  world.clock.now = Date.UTC(2026, 6, 1);
  return { world, organization, events: [...generateEvents(6_000, 4)] };
}

test("deletes retired ledgers completely when several processes purge at the same time", async (t) => {
  const { world, organization, events } = await counted(t);
  await world.ingest(organization, events);
  for (const id of ["1", "2"]) {
    await run(world.databaseUrl, ["campaign", "close", "--yes", "--organization", "1", "--id", id]);
  }
  await world.database.transaction((queries) => sql`update ledgers set secret = null`.execute(queries));
  const clear = async () => {
    while (await world.database.transaction(purgeRetiredLedger));
  };
  await Promise.all([clear(), clear(), clear(), clear()]);
  const { rows } = await world.database.snapshot((queries) =>
    sql`select (select count(*) from ledgers) as ledgers, (select count(*) from recipients) as recipients,
      (select count(*) from event_ids) as ids`.execute(queries),
  );
  assert.deepEqual(rows, [{ ledgers: 0, recipients: 0, ids: 0 }]);
});

const onOneServer = notOnCitus("Citus allows no triggers on distributed tables");

test("retries a batch when one of its parts fails with a deadlock", onOneServer, async (t) => {
  const { world, organization, events } = await counted(t);
  // Fails once, like a deadlock: a rollback does not reset a sequence.
  await world.database.transaction(async (queries) => {
    await sql`create sequence failures`.execute(queries);
    await sql`create function fail_once() returns trigger language plpgsql as $$ begin
    if nextval('failures') = 500 then raise exception 'in the way' using errcode = '40P01'; end if; return new; end $$`.execute(
      queries,
    );
    await sql`create trigger fail_once before insert on recipients for each row execute function fail_once()`.execute(
      queries,
    );
  });
  const { accepted } = await world.ingest(organization, events);
  assert.equal(accepted, 6_000);
  assert.equal((await run(world.databaseUrl, "recount")).exitCode, 0);
});
