// A killed import of campaigns writes nothing and can be started again.

import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { counts, emptyWorld, exported, file, importing, lines, record } from "../../support/import-files.ts";
import { pick } from "../../support/pick.ts";
import { start } from "../../support/process.ts";
import { checkFile } from "../../support/stored-bytes.ts";
import type { World } from "../../support/world.ts";

/** Whether the import has written many records and not committed yet. */
async function isInTheMiddle({ database, databaseUrl, folder }: World): Promise<boolean> {
  // SQLite writes to its log before the commit when its cache is full.
  if (databaseUrl.startsWith("sqlite:")) return statSync(join(folder, "test.db-wal")).size > 1_000_000;
  const { rows } = await database.snapshot((queries) =>
    sql`select 1 from pg_stat_activity where datname = current_database() and backend_xid is not null
      and clock_timestamp() - xact_start > interval '250 milliseconds'`.execute(queries),
  );
  return rows.length > 0;
}

const campaigns = 3_000;
/** As long as it may be, so that fewer campaigns fill the cache. */
const sent_from = "x".repeat(1_000);
const content = lines(
  ...Array.from({ length: campaigns }, (_, index) => record(index + 2, { tags: ["New"], sent_from })),
);

/** A world with one campaign, and a killed import of the others. */
async function importKilled(t: TestContext): Promise<{ world: World; left: Record<string, unknown>[] }> {
  for (;;) {
    const world = await emptyWorld(t);
    await importing(world, lines(record(1)));
    const path = file(world, content, "large.ndjson");
    const program = start(t, ["import", "--organization", "1", path], { DATABASE_URL: world.databaseUrl });
    while (!program.isOver() && !(await isInTheMiddle(world))) await pause(5);
    program.child.kill("SIGKILL");
    // The import may have finished before the kill: then try again.
    if ((await program.ended) !== "SIGKILL") assert.equal(await program.ended, 0, program.stderr());
    const left = await exported(world);
    if (left.length <= campaigns) return { world, left };
  }
}

test("an import killed with kill -9 writes nothing of the file, and the file can be imported again", async (t) => {
  const { world, left } = await importKilled(t);
  assert.deepEqual(pick(left, "id", "tags"), [[1, []]]);
  checkFile(world);
  assert.deepEqual(counts(await importing(world, content)), [campaigns, 0, 0]);
  assert.equal((await exported(world)).length, campaigns + 1);
});
