// Creates a database per test on the PostgreSQL server of TEST_DATABASE_URL. Hundreds of tests need one, so each is a
// copy of a template that already has the tables.

import { randomBytes } from "node:crypto";
import pg from "pg";
import { openDatabase } from "../../src/storage/open-database.ts";

/** Names the template for all processes of a test run. The names of the run's databases start with it. */
const templateVariable = "TEST_DATABASE_TEMPLATE";
const finished: string[] = [];
let pool: pg.Pool | undefined;

/** @returns the URL of a new database; undefined without TEST_DATABASE_URL, when tests run on SQLite */
export async function makePostgresDatabase(
  test: { after(step: () => unknown): void },
  { isEmpty = false } = {},
): Promise<string | undefined> {
  const server = process.env.TEST_DATABASE_URL;
  if (!server) return undefined;
  await dropAll(server, finished);
  const run = process.env[templateVariable];
  const name = `${run ?? randomName()}_${randomBytes(6).toString("hex")}`;
  const template = isEmpty || !run ? "template0" : run;
  // Copying the files of the template is twice as fast as logging its pages.
  await administer(server, `create database ${name} template ${template} strategy file_copy`);
  // Later hooks of the test still use the database, so it is dropped before the next one is created, or when the process
  // ends. Not at the end of the run: dropping is cheap only while the files have not reached the disk.
  test.after(() => finished.push(name));
  if (process.listenerCount("beforeExit", dropLast) === 0) process.once("beforeExit", dropLast);
  return onServer(server, name);
}

/** Creates the template, before test processes start. @returns a function that drops all databases of the run */
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

/** Runs an administrative statement. Its connections do not keep the process alive, and may be lost. */
async function administer(server: string, statement: string): Promise<Record<string, unknown>[]> {
  pool ??= new pg.Pool({ connectionString: server, max: 2, allowExitOnIdle: true }).on("error", () => {});
  return (await pool.query<Record<string, unknown>>(statement)).rows;
}
