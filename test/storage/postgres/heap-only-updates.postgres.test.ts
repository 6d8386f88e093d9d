// Heap-only updates: they leave all indexes alone, because the page of the row has room for its new version.

import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { emptyTally } from "../../../src/campaign/events/tally.ts";
import type { Queries } from "../../../src/storage/queries/queries.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { saveTallies } from "../../../src/storage/sums/tallies.ts";
import { notOnCitus } from "../../support/not-on-citus.ts";
import { makeAcme } from "../../support/world.ts";

const onOneServer = notOnCitus("reads statistics of the coordinator, which has no rows");

test("updates the tallies of campaigns without their indexes", onOneServer, async (t) => {
  const { world, organization } = await makeAcme(t);
  const ids = Array.from({ length: 40 }, (_, index) => index + 1);
  for (const id of ids) await world.register(organization, id);
  const updates = { all: 0, heapOnly: 0 };
  for (let opens = 1; opens <= 10; opens++) {
    const tally = { ...emptyTally(), uniqueOpens: opens };
    const tallies = ids.map((id) => ({
      id,
      tallies: { people: tally, all: tally },
      publishAt: null,
      sourceId: null,
      senders: {},
    }));
    await world.database.transaction(async (queries) => {
      // Counts that PostgreSQL has not reported yet are those of earlier transactions as well.
      const before = await countUpdates(queries);
      await saveTallies(new Scope(queries, organization.id), tallies);
      const after = await countUpdates(queries);
      updates.all += after.all - before.all;
      updates.heapOnly += after.heapOnly - before.heapOnly;
    });
  }
  assert.equal(updates.all, 400);
  // Nearly all of them on an idle server. Old row versions take up their room while other tests read; without a fill
  // factor there are none.
  assert.ok(updates.heapOnly > 40, `${updates.heapOnly} of 400 updates`);
});

async function countUpdates(queries: Queries): Promise<{ all: number; heapOnly: number }> {
  const { rows } = await sql<{ all: number; heapOnly: number }>`
    select pg_stat_get_xact_tuples_updated('campaigns'::regclass) as "all",
      pg_stat_get_xact_tuples_hot_updated('campaigns'::regclass) as "heapOnly"`.execute(queries);
  return { all: Number(rows[0]?.all), heapOnly: Number(rows[0]?.heapOnly) };
}
