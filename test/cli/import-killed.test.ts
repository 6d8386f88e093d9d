// An import that is killed in the middle leaves nothing behind, and can simply be started again.

import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { checkFile } from "../stored-bytes.ts";
import type { World } from "../world.ts";
import { counts, emptyWorld, exported, file, importing, lines, record } from "./importing.ts";
import { start } from "./process.ts";

/** Whether a good part of the file is written, and all of it is still to be committed. */
async function isInTheMiddle({ database, databaseUrl, folder }: World): Promise<boolean> {
  // SQLite writes ahead when its cache is full.
  if (databaseUrl.startsWith("sqlite:")) return statSync(join(folder, "test.db-wal")).size > 2_000_000;
  const { rows } = await database.read((queries) =>
    sql`select 1 from pg_stat_activity where datname = current_database() and backend_xid is not null
      and clock_timestamp() - xact_start > interval '500 milliseconds'`.execute(queries),
  );
  return rows.length > 0;
}

test("after kill -9 in the middle of a file nothing of it is there, the database is whole, and the file can be imported", async (t) => {
  const world = await emptyWorld(t);
  await importing(world, lines(record(1)));
  const content = lines(
    ...Array.from({ length: 40_000 }, (_, index) => record(index + 2, { tags: ["New"] })),
  );
  const path = file(world, content, "large.ndjson");
  const program = start(t, ["import", "--organization", "1", path], { DATABASE_URL: world.databaseUrl });
  while (!(await isInTheMiddle(world))) await pause(5);
  program.child.kill("SIGKILL");
  assert.equal(await program.ended, "SIGKILL");

  assert.deepEqual(
    (await exported(world)).map(({ id, tags }) => [id, tags]),
    [[1, []]],
  );
  checkFile(world);
  assert.deepEqual(counts(await importing(world, content)), [40_000, 0, 0]);
  assert.equal((await exported(world)).length, 40_001);
});
