// Tests of PostgreSQL that run on SQLite by mistake.

import assert from "node:assert/strict";
import test from "node:test";
import { makePostgresDatabase } from "./postgres-databases.ts";

test("a file of PostgreSQL tests refuses to run on SQLite", async (t) => {
  const { argv, env } = process;
  const before = { file: argv[1] as string, url: env.TEST_DATABASE_URL ?? "" };
  t.after(() => {
    argv[1] = before.file;
    env.TEST_DATABASE_URL = before.url;
  });
  env.TEST_DATABASE_URL = "";
  assert.equal(await makePostgresDatabase(t), undefined);
  argv[1] = "/tests/copy.postgres.test.ts";
  await assert.rejects(
    makePostgresDatabase(t),
    /this file tests PostgreSQL; run it with TEST_DATABASE=postgres/,
  );
});
