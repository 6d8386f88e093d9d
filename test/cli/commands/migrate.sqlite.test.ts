// `migrate` on SQLite only.

import assert from "node:assert/strict";
import test from "node:test";
import { makeSqliteWorld, run } from "../../support/world.ts";

test("migrate --distribute refuses SQLite", async (t) => {
  const { databaseUrl } = await makeSqliteWorld(t);
  const { output } = await run(databaseUrl, "migrate --distribute");
  assert.deepEqual(output, [
    1,
    "",
    "error: --distribute needs PostgreSQL with the Citus extension; this database is SQLite\n",
  ]);
});
