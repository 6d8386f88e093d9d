// An import that is killed in the middle leaves nothing behind, and can simply be started again.

import assert from "node:assert/strict";
import { statSync } from "node:fs";
import test from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { counts, emptyWorld, exported, file, importing, lines, record } from "./importing.ts";
import { start } from "./process.ts";

test("after kill -9 in the middle of a file nothing of it is there, the database is whole, and the file can be imported", async (t) => {
  const world = await emptyWorld(t);
  await importing(world, lines(record(1)));
  const content = lines(
    ...Array.from({ length: 40_000 }, (_, index) => record(index + 2, { tags: ["New"] })),
  );
  const path = file(world, content, "large.ndjson");
  const program = start(t, ["import", "--organization", "1", path], { DATABASE_URL: world.databaseUrl });
  const database = `${world.folder}/test.db`;
  // SQLite writes ahead when its cache is full: then the file is certainly in the middle.
  while (statSync(`${database}-wal`).size < 2_000_000) await pause(5);
  program.child.kill("SIGKILL");
  assert.equal(await program.ended, "SIGKILL");

  assert.deepEqual(
    (await exported(world)).map(({ id, tags }) => [id, tags]),
    [[1, []]],
  );
  const sqlite = new Sqlite(database);
  assert.equal(sqlite.pragma("integrity_check", { simple: true }), "ok");
  sqlite.close();
  assert.deepEqual(counts(await importing(world, content)), [40_000, 0, 0]);
  assert.equal((await exported(world)).length, 40_001);
});
