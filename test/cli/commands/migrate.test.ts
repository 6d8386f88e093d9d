// `migrate`, and the migrations that every command runs.

import assert from "node:assert/strict";
import test from "node:test";
import { AppError } from "../../../src/errors.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";
import { serveOnFreePort, start, urlOf } from "../../support/process.ts";
import { sqliteTest } from "../../support/sqlite-test.ts";
import { makeDatabase, makeSqliteWorld, run } from "../../support/world.ts";

test("several processes can open the same new database at the same time", async (t) => {
  const DATABASE_URL = await makeDatabase(t, { isEmpty: true });
  const add = (name: string) => ["organization", "add", "--name", name, "--json"];
  const programs = [
    start(t, serveOnFreePort, { DATABASE_URL }),
    ...["One", "Two", "Three"].map((name) => start(t, add(name), { DATABASE_URL })),
  ];
  const [server, ...others] = programs;
  assert.deepEqual(await Promise.all(others.map(({ ended }) => ended)), [0, 0, 0]);
  const ids = others.map((other) => (JSON.parse(other.stdout()) as { id: number }).id);
  assert.deepEqual(ids.sort(), [1, 2, 3]);
  assert.ok(server);
  assert.equal((await fetch(`${await urlOf(server)}/readyz`)).status, 200);
  assert.equal(await server.stop(), 0);
});

test("migrate prints the migrations it ran, and does nothing the second time", async (t) => {
  const databaseUrl = await makeDatabase(t, { isEmpty: true });
  const first = await run(databaseUrl, "migrate --json");
  assert.deepEqual([first.exitCode, first.stdout], [0, '{"migrated":["0001_schema"]}\n']);
  const second = await run(databaseUrl, "migrate --json");
  assert.deepEqual([second.exitCode, second.stdout], [0, '{"migrated":[]}\n']);
  assert.equal((await run(databaseUrl, "migrate")).stdout, "The database is up to date.\n");
  const other = await makeDatabase(t, { isEmpty: true });
  assert.equal((await run(other, "migrate")).stdout, "Migrated: 0001_schema.\n");
});

test("commands that need data refuse to create a missing database, and say how to create it", async (t) => {
  const DATABASE_URL = await makeDatabase(t, { isEmpty: true });
  for (const argv of [
    ["organization", "list"],
    ["key", "list", "--organization", "1"],
    ["import", "--organization", "1", "--events", "-"],
    ["backup", "x.db"],
  ]) {
    const { exitCode, stdout, stderr } = await run(DATABASE_URL, argv);
    assert.deepEqual([exitCode, stdout], [1, ""]);
    const message =
      /^error: there is no (?:database at sqlite:.+|email-analytics database at this PostgreSQL URL); /;
    assert.match(stderr, message);
    assert.match(stderr, / DATABASE_URL, create one with "email-analytics init", or restore a backup\n$/);
  }
  const target = await makeDatabase(t, { isEmpty: true });
  const copied = await run(target, ["copy", "--from", DATABASE_URL]);
  assert.deepEqual([copied.exitCode, copied.stdout], [1, ""]);
  const expected =
    /^error: --from: (the file .* does not exist|there is no email-analytics database at this URL)$/m;
  assert.match(copied.stderr, expected);
  // No database was created.
  await assert.rejects(openDatabase(DATABASE_URL, { mustExist: true }), AppError);
  assert.equal((await run(DATABASE_URL, "organization add --name Acme")).exitCode, 0);
  assert.match((await run(DATABASE_URL, "organization list")).stdout, /Acme/);
});

sqliteTest("migrate --distribute refuses SQLite", async (t) => {
  const { databaseUrl } = await makeSqliteWorld(t);
  const { output } = await run(databaseUrl, "migrate --distribute");
  const message = "error: --distribute needs PostgreSQL with the Citus extension; this database is SQLite\n";
  assert.deepEqual(output, [1, "", message]);
});
