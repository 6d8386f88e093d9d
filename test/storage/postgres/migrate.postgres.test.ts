// Migrations of PostgreSQL while others use the database: several at once, killed ones, tables that are in use, and old
// and new programs side by side.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import test from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Kysely, sql } from "kysely";
import pg from "pg";
import { migrations } from "../../../src/storage/migrations/migrations.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";
import { migratePostgres } from "../../../src/storage/postgres/migrate.ts";
import { migrationsOfTest } from "../../support/migrate-in-many-steps.ts";
import { campaign, makeDatabase, makeWorld, serve } from "../../support/world.ts";

const all = Object.keys(migrations);
const manySteps = fileURLToPath(import.meta.resolve("../../support/migrate-in-many-steps.ts"));

test("of several that open a new database at once, one makes the tables", async (t) => {
  const url = await makeDatabase(t, { isEmpty: true });
  const databases = await Promise.all([1, 2, 3, 4, 5].map(() => openDatabase(url)));
  const migrated = databases.map((database) => database.migrated).filter((names) => names.length > 0);
  assert.deepEqual(migrated.flat().sort(), all);
  for (const database of databases) await database.close();
});

test("a killed migration continues with the step that it was killed in", async (t) => {
  const url = await makeDatabase(t, { isEmpty: true });
  // Each try is longer by a fifth: with equal steps a slow machine would take an hour.
  for (let ms = 200; ; ms *= 1.2) {
    const migrating = spawn(process.execPath, [manySteps], {
      env: { ...process.env, DATABASE_URL: url },
      stdio: ["ignore", "inherit", "inherit"],
    });
    const ended = once(migrating, "exit");
    const isDone = await Promise.race([ended.then(() => true), pause(ms, false)]);
    if (isDone) {
      assert.equal(migrating.exitCode, 0);
      break;
    }
    migrating.kill("SIGKILL");
    await ended;
  }
  assert.deepEqual(await migratePostgres(url, migrationsOfTest), []);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>("select name from kysely_migration order by name");
  await client.end();
  assert.deepEqual(
    rows.map(({ name }) => name),
    Object.keys(migrationsOfTest),
  );
});

/** A step of a later version of the program. */
const later = {
  ...migrations,
  "9999_later": {
    up: (database: Kysely<never>) =>
      database.schema.alterTable("campaigns").addColumn("later", "text").execute(),
  },
};

test("a table in use is waited for, without holding up those who come meanwhile; old and new programs go on side by side", async (t) => {
  const world = await makeWorld(t);
  const service = await serve(t, world);
  const { organization, key } = await world.addOrganization();
  await world.save(organization, [campaign({ id: 1 })]);
  let release = () => {};
  const isRead = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { promise: hasBegun, resolve: begun } = Promise.withResolvers<void>();
  const reading = world.database.snapshot(async (queries) => {
    await sql`select 1 from campaigns`.execute(queries);
    begun();
    await isRead;
  });
  await hasBegun;
  let isMigrated = false;
  const migrating = migratePostgres(world.databaseUrl, later).then((names) => {
    isMigrated = true;
    return names;
  });
  // The step asks for the whole table again and again; each time, whoever comes after it waits for a second at most.
  for (let times = 0; times < 5; times++) {
    assert.equal((await service.emails(key)).emails.length, 1);
    await pause(200);
  }
  assert.equal(isMigrated, false);
  release();
  await reading;
  assert.deepEqual(await migrating, ["9999_later"]);
  await world.save(organization, [campaign({ id: 2 })]);
  assert.equal((await service.emails(key)).meta.total_entries, 2);
  await assert.rejects(openDatabase(world.databaseUrl), /made by a newer email-analytics/);
});
