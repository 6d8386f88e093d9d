// Creates a database per test on the PostgreSQL server of TEST_DATABASE_URL. Hundreds of tests need one, so each is a
// copy of a template that already has the tables.

import { randomBytes } from "node:crypto";
import pg from "pg";
import { openDatabase } from "../../src/storage/open-database.ts";
import { databaseOn, makeCitusDatabase } from "./citus-cluster.ts";

/** Names the template for all processes of a test run. The names of the run's databases start with it. */
const templateVariable = "TEST_DATABASE_TEMPLATE";
/** The URLs of the workers of a Citus cluster, separated by commas. Each has a database of the same name. */
const workersVariable = "TEST_DATABASE_WORKERS";
const finished: string[] = [];
const pools = new Map<string, pg.Pool>();

/**
 * @returns the URL of a new database; undefined without TEST_DATABASE_URL, when tests run on SQLite
 * @throws Error if the file of the test concerns PostgreSQL, and tests run on SQLite
 */
export async function makePostgresDatabase(
  test: { after(step: () => unknown): void },
  { isEmpty = false } = {},
): Promise<string | undefined> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) {
    if (!process.argv[1]?.endsWith(".postgres.test.ts")) return undefined;
    throw new Error(
      "this file tests PostgreSQL; run it with TEST_DATABASE=postgres and --test-global-setup=test/support/setup.ts",
    );
  }
  await dropAll(server, finished);
  const run = process.env[templateVariable];
  const name = `${run ?? randomName()}_${randomBytes(6).toString("hex")}`;
  const template = isEmpty || !run ? "template0" : run;
  // Copying the files of the template is twice as fast as logging its pages.
  const statement = `create database ${name} template ${template} strategy file_copy`;
  for (const node of isEmpty ? [server] : nodesOf(server)) await administer(node, statement);
  // Later hooks of the test still use the database, so it is dropped before the next one is created, or when the process
  // ends. Not at the end of the run: dropping is cheap only while the files have not reached the disk.
  test.after(() => finished.push(name));
  if (process.listenerCount("beforeExit", dropLast) === 0) process.once("beforeExit", dropLast);
  return databaseOn(server, name);
}

/**
 * Creates the template, before test processes start.
 *
 * @param workers URLs of the workers of a Citus cluster, over which the tables are distributed
 * @returns a function that drops all databases of the run
 */
export async function makeTemplate(
  server: string,
  workers: readonly string[] = [],
): Promise<() => Promise<void>> {
  const name = randomName();
  process.env[templateVariable] = name;
  process.env[workersVariable] = workers.join();
  if (workers.length > 0) {
    await makeCitusDatabase([server, ...workers], name);
    for (const node of nodesOf(server)) await disconnect(node, name);
  } else {
    await administer(server, `create database ${name} template template0`);
    await (await openDatabase(databaseOn(server, name))).close();
  }
  return async () => {
    const rows = await administer(server, `select datname from pg_database where datname like '${name}%'`);
    const names = rows.map(({ datname }) => String(datname));
    await dropAll(server, names);
  };
}

const randomName = () => `ea_test_${randomBytes(6).toString("hex")}`;

async function dropLast(): Promise<void> {
  await dropAll(process.env.TEST_DATABASE_URL ?? "", finished);
}

async function dropAll(server: string, names: string[]): Promise<void> {
  for (const name of names.splice(0)) {
    const nodes = nodesOf(server);
    for (const node of nodes) {
      if (nodes.length > 1) await disconnect(node, name);
      await administer(node, `drop database if exists ${name} with (force)`);
    }
  }
}

function nodesOf(server: string): string[] {
  return [server, ...(process.env[workersVariable] || "").split(",").filter(Boolean)];
}

/** A database with connections cannot be a template or be dropped, and a process of Citus connects again and again. */
async function disconnect(node: string, name: string): Promise<void> {
  await administer(node, `update pg_database set datallowconn = false where datname = '${name}'`);
  await administer(
    node,
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`,
  );
}

/** Runs an administrative statement. Its connections do not keep the process alive, and may be lost. */
async function administer(server: string, statement: string): Promise<Record<string, unknown>[]> {
  const pool =
    pools.get(server) ??
    new pg.Pool({ connectionString: server, max: 2, allowExitOnIdle: true }).on("error", () => {});
  pools.set(server, pool);
  return (await pool.query<Record<string, unknown>>(statement)).rows;
}
