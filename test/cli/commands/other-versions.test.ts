// What each command says of a database that another version of the program, or another program, has made.

import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import Sqlite from "better-sqlite3";
import pg from "pg";
import { migrate } from "../../../src/storage/migrations/migrate.ts";
import { type Migrations, migrations } from "../../../src/storage/migrations/migrations.ts";
import { sqlitePath } from "../../../src/storage/open-database.ts";
import { migratePostgres } from "../../../src/storage/postgres/migrate.ts";
import { connectWriter } from "../../../src/storage/sqlite/connect.ts";
import { makeDatabase, makeFolder, run } from "../../support/world.ts";

/** Makes a database with these migrations, as a program that has others would. */
async function makeWith(url: string, known: Migrations): Promise<void> {
  const path = sqlitePath(url);
  if (!path) {
    await migratePostgres(url, known);
    return;
  }
  const { kysely, sqlite, turns } = connectWriter(path);
  await migrate((work) => kysely.transaction().execute(work), known);
  sqlite.close();
  turns.close();
}

async function runStatements(url: string, ...statements: string[]): Promise<void> {
  const path = sqlitePath(url);
  if (path) {
    const sqlite = new Sqlite(path);
    for (const statement of statements) sqlite.exec(statement);
    sqlite.close();
    return;
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

const first = migrations["0001_schema"] as Migrations[string];
const withColumn = {
  "0001_schema": (isServer: boolean) => [...first(isServer), "alter table tags add column icon text"],
};
const likeKysely = "create table kysely_migration (name varchar(255) not null primary key, timestamp text)";

interface Foreign {
  name: string;
  make(url: string): Promise<void> | void;
  says: RegExp;
  /** What `restore` says of the file; by default the same. */
  restoreSays?: RegExp;
  /** Whether it is a file, which PostgreSQL does not have. */
  isFile?: boolean;
}

const databases: Foreign[] = [
  {
    name: "a release candidate, which saved no hashes",
    async make(url) {
      await makeWith(url, migrations);
      const columns = ["hash", "program"];
      await runStatements(url, ...columns.map((name) => `alter table kysely_migration drop column ${name}`));
    },
    says: /was made by a version of email-analytics before 0\.1\.0; use the version that made it, or export its campaigns with that version and import them into a new database$/,
  },
  {
    name: "an earlier release candidate with other migrations",
    make: (url) =>
      runStatements(
        url,
        likeKysely,
        "create table campaigns (id bigint)",
        "insert into kysely_migration (name, timestamp) values ('0001_emails', ''), ('0002_tags', '')",
      ),
    says: /was made by a version of email-analytics before 0\.1\.0, or another program; use the version that /,
  },
  {
    name: "a version with a changed schema",
    make: (url) => makeWith(url, withColumn),
    says: /was made by email-analytics 0\.1\.0 with other tables \(schema [0-9a-f]{8}\); use the version that made it, or export its campaigns with that version and import them into a new database$/,
  },
  {
    name: "a newer version",
    make: (url) => makeWith(url, { ...migrations, "9999_later": () => ["create table later (id bigint)"] }),
    says: /^a newer version of email-analytics, 0\.1\.0, has migrated \S.*; install that version, or use another DATABASE_URL$/,
  },
  {
    name: "another program",
    make: (url) => runStatements(url, "create table users (id bigint)", "insert into users values (1)"),
    says: /has tables of another program; use another DATABASE_URL$/,
    restoreSays: /^it is not a database of email-analytics$/,
  },
  {
    name: "nobody: a file of notes",
    isFile: true,
    make: (url) =>
      writeFileSync(sqlitePath(url) as string, "These are my notes, longer than a header. ".repeat(50)),
    says: /^DATABASE_URL: sqlite:\S+ cannot be opened: file is not a database \(SQLITE_NOTADB\); use another DATABASE_URL, or restore a backup$/,
    restoreSays: /^file is not a database$/,
  },
];

/** Commands that open the database of DATABASE_URL. */
const commands = [
  ["migrate"],
  ["serve", "--port", "0"],
  ["doctor"],
  ["recount"],
  ["backup", "--already"],
  ["restore", "--already"],
  ["organization", "list"],
  ["organization", "add", "--name", "Acme"],
  ["init", "--name", "Acme", "--email", "ann@example.com"],
  ["key", "list", "--organization", "1"],
  ["export", "--organization", "1"],
  ["import", "--organization", "1", "-"],
];

for (const { name, make, says, restoreSays = says, isFile = false } of databases) {
  if (isFile && process.env.TEST_DATABASE_URL) continue;
  test(`every command refuses the database of ${name}, says what to do, and changes nothing`, async (t) => {
    const url = await makeDatabase(t, { isEmpty: true });
    await make(url);
    const before = await stateOf(url);
    for (const argv of commands) {
      const ran = await run(url, argv);
      const report = /^✗ database {4}(.*)\.$/m.exec(ran.stdout)?.[1];
      const message = argv[0] === "doctor" ? report : messageOf(ran);
      assert.match(message ?? "", says, argv.join(" "));
      assert.equal(ran.exitCode, 1, argv.join(" "));
    }
    const folder = makeFolder(t);
    const empty = `sqlite:${join(folder, "empty.db")}`;
    const full = `sqlite:${join(folder, "full.db")}`;
    await run(full, "organization add --name Acme");
    assert.match(messageOf(await run(empty, ["copy", "--from", url])), says);
    assert.match(messageOf(await run(url, ["copy", "--from", full])), says);
    assert.match(messageOf(await run(url, ["backup", join(folder, "backup.db")])), says);
    assert.equal(await stateOf(url), before);
    const path = sqlitePath(url);
    if (path) {
      const target = join(folder, "target.db");
      const message = messageOf(await run(`sqlite:${target}`, ["restore", path]));
      const [, problem = ""] = /^\S+ is not a usable backup: (.*)$/.exec(message) ?? [];
      assert.match(problem, restoreSays);
      assert.equal(existsSync(target), false);
    }
    const found = readdirSync(folder).filter((file) => /^(backup|target)/.test(file));
    assert.deepEqual(found, []);
  });
}

/** The message of a command that failed without a result. */
function messageOf({ exitCode, stdout, stderr }: Awaited<ReturnType<typeof run>>): string {
  assert.deepEqual([exitCode, stdout], [1, ""], stderr);
  return /^(?:warning: .*\n)*error: (.*)\n$/.exec(stderr)?.[1] ?? stderr;
}

/** The whole file on SQLite; the tables and the number of their columns on PostgreSQL. */
async function stateOf(url: string): Promise<string> {
  const path = sqlitePath(url);
  if (path) return hash("sha256", readFileSync(path));
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    "select relname, relnatts from pg_class where relnamespace = 'public'::regnamespace order by relname",
  );
  await client.end();
  return JSON.stringify(rows);
}
