// Migrating PostgreSQL while others use it: several processes, killed migrations, tables in use, and two versions of the
// program side by side.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import test from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import pg from "pg";
import { migrations } from "../../../src/storage/migrations/migrations.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";
import { migratePostgres } from "../../../src/storage/postgres/migrate.ts";
import { makeGuestRole } from "../../support/guest-role.ts";
import { migrationsOfTest } from "../../support/migrate-in-many-steps.ts";
import { pick } from "../../support/pick.ts";
import { campaign, makeAcme, makeDatabase, makeWorld, serve } from "../../support/world.ts";

const all = Object.keys(migrations);
const manySteps = fileURLToPath(import.meta.resolve("../../support/migrate-in-many-steps.ts"));

/** A migration of a later version. */
const later = {
  ...migrations,
  "9999_later": () => ["alter table campaigns add column later text"],
};

test("when several connections open a new database at once, one of them migrates it", async (t) => {
  const url = await makeDatabase(t, { isEmpty: true });
  const databases = await Promise.all([1, 2, 3, 4, 5].map(() => openDatabase(url)));
  const migrated = databases.map((database) => database.migrated).filter((names) => names.length > 0);
  assert.deepEqual(migrated.flat().sort(), all);
  for (const database of databases) await database.close();
});

test("a migration does not wait for a role without rights, whatever locks it holds", {
  timeout: 60_000,
}, async (t) => {
  const url = await makeDatabase(t);
  const guest = await makeGuestRole(t, url);
  await assert.rejects(guest.ask("begin; lock table kysely_migration_lock"), /permission denied/);
  const client = new pg.Client({ connectionString: guest.url });
  await client.connect();
  // That of Kysely, and one that this program used.
  await client.query("select pg_advisory_lock(3853314791062309107), pg_advisory_lock(5291137402)");
  assert.deepEqual(await migratePostgres(url, later), ["9999_later"]);
  await client.end();
});

test("a killed migration continues with the migration that was interrupted", async (t) => {
  const url = await makeDatabase(t, { isEmpty: true });
  // Each try lasts a fifth longer: with equal tries a slow host would need an hour.
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
  assert.deepEqual(pick(rows, "name"), Object.keys(migrationsOfTest));
});

test("a migration waits for a table in use without blocking readers, and the old version keeps working after it", async (t) => {
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
  // The migration retries for its table lock; each attempt blocks readers for a second at most.
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
  await assert.rejects(
    openDatabase(world.databaseUrl),
    /a newer version of email-analytics, 0\.1\.0, has migrated PostgreSQL at /,
  );
});

test("a later migration changes tables that have rows, also when Citus distributes them", async (t) => {
  const { world, organization } = await makeAcme(t);
  await world.save(organization, [campaign({ id: 1 }), campaign({ id: 2 })]);
  const statements = [
    "alter table campaigns add column kind integer not null default 1",
    // Citus refuses a check in the statement that adds the column.
    "alter table campaigns add constraint campaigns_kind check (kind > 0)",
    "alter table campaigns add column note text",
    "update campaigns set note = subject",
    "alter table campaigns alter column note set not null",
    "create unique index campaigns_note on campaigns (organization_id, note)",
  ];
  const migrated = await migratePostgres(world.databaseUrl, {
    ...migrations,
    "9999_later": () => statements,
  });
  assert.deepEqual(migrated, ["9999_later"]);
  const { rows } = await world.database.snapshot((queries) =>
    sql`select kind, note from campaigns where organization_id = ${organization.id} order by id`.execute(
      queries,
    ),
  );
  assert.deepEqual(rows, [
    { kind: 1, note: "Campaign 1" },
    { kind: 1, note: "Campaign 2" },
  ]);
});
