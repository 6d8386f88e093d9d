// Databases of a test's own on the PostgreSQL server that TEST_DATABASE_URL names. Hundreds of tests make one, so they
// are copies of a template that has the tables already.

import { randomBytes } from "node:crypto";
import type { TestContext } from "node:test";
import pg from "pg";
import { openDatabase } from "../../src/storage/open-database.ts";

/** Where the name of the template stands, for all processes of a run. All names of the run begin with it. */
const templateVariable = "TEST_DATABASE_TEMPLATE";
const finished: string[] = [];
let pool: pg.Pool | undefined;

/** @returns the address of a new database, or undefined where no server is named: the test runs on SQLite then */
export async function makePostgresDatabase(
  test: TestContext,
  { isEmpty = false } = {},
): Promise<string | undefined> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) return undefined;
  await dropAll(server, finished);
  const run = process.env[templateVariable];
  const name = `${run ?? randomName()}_${randomBytes(6).toString("hex")}`;
  const template = isEmpty || !run ? "template0" : run;
  await administer(server, `create database ${name} template ${template}`);
  // The hooks that end the use of it come after this one, so it is dropped when the next test or the process is done.
  // That is not left to the end of the run: a database costs little to drop only while it has not reached the disk.
  test.after(() => finished.push(name));
  if (process.listenerCount("beforeExit", dropLast) === 0) process.once("beforeExit", dropLast);
  return onServer(server, name);
}

/** Makes the template, before the processes of the tests start. @returns what drops all databases of the run */
export async function makeTemplate(server: string): Promise<() => Promise<void>> {
  const name = randomName();
  await administer(server, `create database ${name} template template0`);
  await (await openDatabase(onServer(server, name))).close();
  process.env[templateVariable] = name;
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
  for (const name of names.splice(0))
    await administer(server, `drop database if exists ${name} with (force)`);
}

function onServer(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Its connections do not keep the process from ending, and are not missed when the server goes away. */
async function administer(server: string, statement: string): Promise<Record<string, unknown>[]> {
  pool ??= new pg.Pool({ connectionString: server, max: 2, allowExitOnIdle: true }).on("error", () => {});
  return (await pool.query<Record<string, unknown>>(statement)).rows;
}
