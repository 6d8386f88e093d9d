// PostgreSQL: required server settings, and retries after deadlocks, lost connections and commits with an unknown
// outcome.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { changeOrganization } from "../../../src/counting/campaigns/change-organization.ts";
import { readAllCampaigns } from "../../../src/storage/campaigns/campaigns.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";
import { acquireLease } from "../../../src/storage/organizations/leases.ts";
import {
  addOrganization,
  listOrganizations,
  lockOrganization,
} from "../../../src/storage/organizations/organizations.ts";
import { connect } from "../../../src/storage/postgres/connect.ts";
import type { Database, DatabaseOptions, Retry } from "../../../src/storage/queries/database.ts";
import type { Queries } from "../../../src/storage/queries/queries.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { notOnCitus } from "../../support/not-on-citus.ts";
import { giveToRunner } from "../../support/postgres-programs.ts";
import { startPostgres } from "../../support/postgres-server.ts";
import { startStandby } from "../../support/postgres-standby.ts";
import { start } from "../../support/process.ts";
import { type Cut, startResettingProxy } from "../../support/resetting-proxy.ts";
import { makeAcme, makeDatabase, makeWorld, makeWorldOn, present, run } from "../../support/world.ts";

const add = (name: string) => (queries: Queries) =>
  addOrganization(queries, { name, timeZone: "UTC", now: present });
const names = async (database: Database) =>
  (await database.snapshot(listOrganizations)).map(({ name }) => name);

/** Runs administrative statements. */
const administer = (database: Database, statement: string) =>
  database.transaction((queries) => sql.raw(statement).execute(queries));

/** Terminates all other connections to the database. */
const endConnections = (database: Database) =>
  administer(
    database,
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );

test("opening fails when synchronous_commit is off, unless UNSAFE_COMMITS allows it", async (t) => {
  const url = await makeDatabase(t);
  const database = await openDatabase(url);
  await administer(database, `alter database ${new URL(url).pathname.slice(1)} set synchronous_commit = off`);
  await database.close();
  await assert.rejects(openDatabase(url), {
    code: "conflict",
    message: `DATABASE_URL: PostgreSQL at ${new URL(url).host}${new URL(url).pathname}: synchronous_commit is off, so a crash may lose acknowledged changes; turn it on, or set UNSAFE_COMMITS=allow`,
  });
  const environment = { DATABASE_URL: url, UNSAFE_COMMITS: "allow" };
  assert.equal((await run(url, "organization list", { environment })).exitCode, 0);
});

test("keeps no statements on the server, where a pooler may refuse their names", async (t) => {
  const { world, organization } = await makeAcme(t);
  const database = await openDatabase(world.databaseUrl, { maxConnections: 1 });
  t.after(() => database.close());
  const kept = await database.snapshot(async (queries) => {
    for await (const _ of readAllCampaigns(new Scope(queries, organization.id)))
      assert.fail("there are no campaigns");
    return sql`select name from pg_prepared_statements`.execute(queries);
  });
  assert.deepEqual(kept.rows, []);
});

test("opening fails with a clear message for another encoding, a missing database and a wrong password", async (t) => {
  const server = await startPostgres();
  t.after(() => server.remove());
  await server.query(
    "create database latin encoding 'LATIN1' locale_provider 'libc' locale 'C' template template0",
  );
  await assert.rejects(openDatabase(server.url("latin")), {
    code: "conflict",
    message: `DATABASE_URL: PostgreSQL at ${new URL(server.url()).host}/latin: the encoding of the database is LATIN1; create one with ENCODING 'UTF8'`,
  });
  await assert.rejects(openDatabase(server.url("nowhere")), {
    message: /"nowhere" does not exist \(3D000\)$/,
  });
  const wrong = new URL(server.url());
  wrong.password = "hunter2";
  const { exitCode, stderr } = await run(wrong.href, "organization list");
  assert.equal(exitCode, 1);
  assert.equal(
    stderr,
    `error: DATABASE_URL: PostgreSQL at ${wrong.host}${wrong.pathname}: password authentication failed for user "postgres" (28P01)\n`,
    "without the password",
  );
});

test("opening fails at once when the server asks for a password and none was given", async (t) => {
  const server = await startPostgres();
  t.after(() => server.remove());
  const url = new URL(server.url());
  url.password = "";
  const asked = start(t, ["organization", "list"], { DATABASE_URL: url.href });
  assert.equal(await asked.ended, 1);
  assert.equal(
    asked.stderr(),
    `error: DATABASE_URL: PostgreSQL at ${url.host}${url.pathname}: the server asks for a password, and none was given; set PGPASSWORD or use ~/.pgpass\n`,
  );
});

test("opening a replica fails, and a primary that becomes a replica is unavailable for writes", async (t) => {
  const primary = await startPostgres();
  t.after(() => primary.remove());
  await primary.query("create database world");
  const standby = await startStandby(primary);
  t.after(() => standby.remove());
  await assert.rejects(openDatabase(standby.url("world")), {
    code: "conflict",
    message: `DATABASE_URL: PostgreSQL at ${new URL(standby.url()).host}/world: this server is a read-only replica; use the primary`,
  });
  const database = await openDatabase(primary.url("world"));
  t.after(() => database.close());
  await primary.stop();
  writeFileSync(join(primary.folder, "data/standby.signal"), "");
  giveToRunner(join(primary.folder, "data/standby.signal"));
  await primary.start();
  assert.deepEqual(await names(database), [], "reads still work");
  await assert.rejects(database.transaction(add("x"), "never"), { code: "unavailable" });
});

const onOneServer = notOnCitus("its user cannot sign in to the workers");

test("doctor --vacuum fails when another user owns the tables", onOneServer, async (t) => {
  const { database, databaseUrl } = await makeWorld(t);
  const name = `writer_${randomBytes(4).toString("hex")}`;
  await administer(database, `create role ${name} login password 'x'`);
  await administer(
    database,
    `grant select, insert, update, delete on all tables in schema public to ${name}`,
  );
  const url = new URL(databaseUrl);
  [url.username, url.password] = [name, "x"];
  const { exitCode, stdout } = await run(url.href, "doctor --vacuum");
  assert.equal(exitCode, 1);
  const text = /^✗ vacuum +the table \w+ belongs to another user; run this as the owner of the tables\.$/m;
  assert.match(stdout, text);
  assert.equal((await run(databaseUrl, "doctor --vacuum")).exitCode, 0);
  await administer(database, `drop owned by ${name}; drop role ${name}`);
});

test("idle connections that were terminated are replaced", async (t) => {
  const { database, databaseUrl } = await makeWorld(t);
  const other = await openDatabase(databaseUrl);
  await endConnections(other);
  await database.transaction(add("after"));
  assert.deepEqual(await names(database), ["after"]);
  await other.close();
});

test("a transaction whose connection is terminated is rolled back and retried", async (t) => {
  const { database, databaseUrl } = await makeWorld(t);
  const other = await openDatabase(databaseUrl);
  let times = 0;
  await database.transaction(async (queries) => {
    times += 1;
    await add("once")(queries);
    if (times === 1) await endConnections(other);
    await listOrganizations(queries);
  });
  assert.deepEqual([times, await names(database)], [2, ["once"]]);
  const reading = database.snapshot(async (queries) => {
    times += 1;
    if (times === 3) await endConnections(other);
    return listOrganizations(queries);
  });
  assert.equal((await reading).length, 1);
  await other.close();
});

test("a transaction with retry never is not retried", async (t) => {
  const { database, databaseUrl } = await makeWorld(t);
  const other = await openDatabase(databaseUrl);
  let times = 0;
  const writing = database.transaction(async (queries) => {
    times += 1;
    await endConnections(other);
    await add("never")(queries);
  }, "never");
  await assert.rejects(writing, { code: "unavailable" });
  assert.deepEqual([times, await names(database)], [1, []]);
  await other.close();
});

test("a deadlock is retried until both transactions succeed", async (t) => {
  const { database } = await makeWorld(t);
  const { id: first } = await database.transaction(add("first"));
  const { id: second } = await database.transaction(add("second"));
  let begun = 0;
  const rename = (one: number, other: number, name: string) =>
    database.transaction(async (queries) => {
      await lockOrganization(new Scope(queries, one));
      begun += 1;
      while (begun < 2) await pause(5);
      await lockOrganization(new Scope(queries, other));
      await changeOrganization(new Scope(queries, one), { name }, present);
    });
  await Promise.all([rename(first, second, "one"), rename(second, first, "two")]);
  assert.ok(begun > 2, "one of them was retried");
  assert.deepEqual(await names(database), ["one", "two"]);
});

async function throughProxy(t: TestContext) {
  const url = new URL(await makeDatabase(t));
  const proxy = await startResettingProxy(Number(url.port));
  url.port = String(proxy.port);
  const database = await openDatabase(url.href);
  t.after(async () => {
    await database.close();
    await proxy.stop();
  });
  /** Adds an organization while the proxy cuts its commit. @returns the outcome */
  const addCut = async (name: string, when: Cut["when"], retry?: Retry) => {
    const cut = proxy.cutNextCommit({ of: "writing", when });
    const outcome = await database.transaction(add(name), retry).then(
      () => "done",
      ({ message }: Error) => message,
    );
    await cut;
    return outcome;
  };
  return { database, addCut };
}

const unknown =
  "The connection to the database was lost during a commit, so it is unknown whether the change was made. Check before you try again.";

test("a commit with an unknown outcome fails with unavailable and says so", async (t) => {
  const { database, addCut } = await throughProxy(t);
  assert.equal(await addCut("before", "before"), unknown);
  assert.deepEqual(await names(database), []);
  assert.equal(await addCut("after", "after"), unknown);
  assert.deepEqual(await names(database), ["after"]);
});

test("an idempotent transaction is retried even after a commit with an unknown outcome", async (t) => {
  const { database, addCut } = await throughProxy(t);
  assert.equal(await addCut("before", "before", "idempotent"), "done");
  assert.deepEqual(await names(database), ["before"]);
  assert.equal(await addCut("after", "after", "idempotent"), "done");
  assert.deepEqual(
    await names(database),
    ["before", "after", "after"],
    "adding is not idempotent, which shows the retry",
  );
});

test("a commit during which Citus loses a node has an unknown outcome", async (t) => {
  const { database } = await makeWorld(t);
  // Fails the first commit with the error of Citus.
  const statements = [
    "create sequence commits",
    `create function lose_node() returns trigger language plpgsql as $$ begin
       if nextval('commits') = 1 then
         raise exception 'could not commit transaction for shard 1 on at least one active node' using errcode = 'XX000';
       end if;
       return null; end $$`,
    `create constraint trigger lose_node after insert or update on leases deferrable initially deferred
       for each row execute function lose_node()`,
  ];
  for (const statement of statements) await administer(database, statement);
  const lease = { name: "upkeep", holder: "a", ms: 60_000 } as const;
  const acquire = (mode: Retry) => database.transaction((queries) => acquireLease(queries, lease), mode);
  await assert.rejects(acquire("beforeCommit"), { code: "unavailable", message: unknown });
  await administer(database, "alter sequence commits restart");
  assert.equal(await acquire("idempotent"), true);
});

test("a transaction that may pause has the limit of statements only", async (t) => {
  const url = await makeDatabase(t);
  const limitsOf = async (options?: DatabaseOptions) => {
    const database = await openDatabase(url, options);
    const { rows } = await database.snapshot((queries) =>
      sql<Record<string, string>>`select current_setting('statement_timeout') as statement,
        current_setting('idle_in_transaction_session_timeout') as pause`.execute(queries),
    );
    await database.close();
    return { ...rows[0] };
  };
  assert.deepEqual(await limitsOf(), { statement: "25s", pause: "1min" });
  assert.deepEqual(await limitsOf({ mayPause: true }), { statement: "25s", pause: "0" });
  assert.deepEqual(await limitsOf({ isCommand: true }), { statement: "0", pause: "0" });
});

test("a single statement that takes too long is canceled, and its connection works on", async (t) => {
  const url = await makeDatabase(t);
  const { database } = await makeWorldOn(t, url);
  const limits = { statementMs: 100, lockMs: 100, idleMs: 60_000 };
  const { kysely } = connect(url, 1, limits);
  t.after(() => kysely.destroy());
  const findProcess = async () => {
    const { rows } = await sql<{ id: number }>`select pg_backend_pid() as id`.execute(kysely);
    return rows[0]?.id;
  };
  const before = await findProcess();
  await database.transaction(async (queries) => {
    await sql`lock table emails in access exclusive mode`.execute(queries);
    await assert.rejects(kysely.selectFrom("emails").select("record").execute(), { code: "57014" });
  });
  assert.equal(await findProcess(), before, "the server ended the statement, not the connection");
});

test("a snapshot cannot write", async (t) => {
  const { database } = await makeWorld(t);
  await assert.rejects(database.snapshot(add("x")), { code: "unavailable" });
});

test("a lease can be renewed by its holder, and acquired by others once it has expired", async (t) => {
  const { database } = await makeWorld(t);
  const take = (holder: string, ms: number) =>
    database.transaction((queries) => acquireLease(queries, { name: "upkeep", holder, ms }));
  assert.equal(await take("a", 60_000), true);
  assert.equal(await take("b", 60_000), false);
  assert.equal(await take("a", -1), true, "the holder may change the expiry");
  assert.equal(await take("b", 60_000), true);
  assert.equal(await take("a", 60_000), false);
});

test("measures the size of the database and the connections in use", async (t) => {
  const database = await openDatabase(await makeDatabase(t));
  t.after(() => database.close());
  const { bytes, connections, ...others } = await database.snapshot(() => database.measureUse());
  assert.ok(bytes > 1_000_000);
  assert.deepEqual(connections, { used: 1, idle: 1, waiting: 0 });
  assert.deepEqual(others, {});
});
