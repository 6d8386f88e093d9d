// Distributing the tables over a Citus cluster. Citus is in neither npm nor the distribution, so a fake extension records
// the calls and is as strict about foreign keys.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { sql } from "kysely";
import pg from "pg";
import { distributedTables, referenceTables } from "../../../src/storage/postgres/distribute.ts";
import { notOnCitus } from "../../support/not-on-citus.ts";
import { pick } from "../../support/pick.ts";
import { giveToRunner, makeRunnersFolder } from "../../support/postgres-programs.ts";
import { startPostgres } from "../../support/postgres-server.ts";
import { campaign, makeDatabase, makeWorldOn, run, serve } from "../../support/world.ts";

const fakeCitus = `
  create table calls (number bigint generated always as identity, name text, by_column text, colocated_with text);
  create view citus_tables as
    select name::regclass as table_name, case when by_column is null then 'reference' else 'distributed' end as citus_table_type
    from calls;
  create function create_distributed_table(
    table_name regclass, distribution_column text, distribution_type text default 'hash', colocate_with text default 'default'
  ) returns void language plpgsql as $$
  begin
    if exists (select from pg_constraint where contype = 'f' and table_name in (conrelid, confrelid)) then
      raise exception 'cannot distribute %: it refers to a table that is not distributed, or is referred to', table_name;
    end if;
    insert into calls (name, by_column, colocated_with) values (table_name::text, distribution_column, colocate_with);
  end $$;
  create function create_reference_table(table_name regclass) returns void language sql
    begin atomic insert into calls (name) values (table_name::text); end;
  create table truncated (number bigint generated always as identity, name text);
  create function truncate_local_data_after_distributing_table(function_name regclass) returns void language sql
    begin atomic insert into truncated (name) values (function_name::text); end;`;

async function withFakeCitus(t: TestContext) {
  const folder = makeRunnersFolder();
  mkdirSync(join(folder, "extension"));
  writeFileSync(join(folder, "extension/citus.control"), "default_version = '0'\nrelocatable = true\n");
  writeFileSync(join(folder, "extension/citus--0.sql"), fakeCitus);
  for (const name of ["extension", "extension/citus.control", "extension/citus--0.sql"]) {
    giveToRunner(join(folder, name));
  }
  const server = await startPostgres({ settings: { extension_control_path: `${folder}:$system` } });
  t.after(() => server.remove());
  await server.query("create database world");
  return server.url("world");
}

async function ask(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

const foreignKeys = `
  select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
  from pg_constraint where contype = 'f' order by conname`;

test("migrate --distribute distributes tables by organization, co-located, and keeps foreign keys", async (t) => {
  const url = await withFakeCitus(t);
  const world = await makeWorldOn(t, url);
  const { organization, key } = await world.addOrganization();
  await world.save(organization, [campaign({ id: 1, tags: ["News"] })]);
  await ask(url, "create extension citus");
  const views = ["--organization", `${organization.id}`];
  await ask(url, "create role reader");
  assert.equal((await run(url, ["views", "add", ...views, "--role", "reader"])).exitCode, 0);
  const refused = await run(url, "migrate --distribute");
  const message = /^error: SQL views do not work with distributed tables; run "email-analytics views/;
  assert.match(refused.stderr, message);
  await run(url, ["views", "remove", ...views]);
  const before = await ask(url, foreignKeys);
  assert.ok(before.length > 5);

  const { exitCode, stdout } = await run(url, "migrate --distribute");
  assert.deepEqual(
    [exitCode, stdout],
    [0, `The database is up to date. Distributed: ${distributedTables.join(", ")}, user_emails.\n`],
  );
  const calls = await ask(url, "select name, by_column, colocated_with from calls order by number");
  assert.deepEqual(calls, [
    { name: "organizations", by_column: "id", colocated_with: "default" },
    ...distributedTables
      .slice(1)
      .map((name) => ({ name, by_column: "organization_id", colocated_with: "organizations" })),
    { name: "user_emails", by_column: null, colocated_with: null },
  ]);
  assert.deepEqual(await ask(url, foreignKeys), before);
  // Otherwise the coordinator would keep a copy of every row that existed, which nothing deletes.
  const truncated = await ask(url, "select name from truncated order by number");
  assert.deepEqual(pick(truncated, "name"), [...distributedTables, ...referenceTables]);

  const added = await run(url, ["views", "add", ...views, "--role", "pg_monitor"]);
  assert.match(added.stderr, /^error: SQL views do not work with tables that Citus distributes/);
  const again = await run(url, "migrate --distribute --json");
  assert.deepEqual(again.rows, [{ migrated: [], distributed: [] }]);
  const service = await serve(t, world);
  assert.equal((await service.emails(key)).emails.length, 1);
});

test("every table with an organization_id is distributed, or a reference table", async (t) => {
  const { database } = await makeWorldOn(t, await makeDatabase(t));
  const { rows } = await database.snapshot((queries) =>
    sql<{ name: string }>`
      select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'organization_id' order by table_name`.execute(queries),
  );
  assert.deepEqual(
    pick(rows, "name"),
    [...distributedTables, ...referenceTables].filter((name) => name !== "organizations").toSorted(),
  );
});

const onOneServer = notOnCitus("needs a database without Citus");

test("migrate --distribute fails without the Citus extension", onOneServer, async (t) => {
  const { exitCode, stderr } = await run(await makeDatabase(t), ["migrate", "--distribute"]);
  assert.equal(exitCode, 1);
  assert.match(stderr, /^error: the database has no Citus extension; install it on every node/);
});
