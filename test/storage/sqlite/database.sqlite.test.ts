// The SQLite database: its file, its settings, waiting for the writer, and a full disk.

import assert from "node:assert/strict";
import { copyFileSync, existsSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { setImmediate } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { sql } from "kysely";
import { AppError } from "../../../src/errors.ts";
import { openDatabase, sqlitePath } from "../../../src/storage/open-database.ts";
import { addOrganization, listOrganizations } from "../../../src/storage/organizations/organizations.ts";
import type { Queries } from "../../../src/storage/queries/queries.ts";
import { makeFolder, makeSqliteWorld, present } from "../../support/world.ts";

const pragma = async (queries: Queries, name: string) => {
  const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(queries);
  return Object.values(rows[0] ?? {})[0];
};

test("all connections have durable commits, foreign keys and secure deletion, and readers cannot write", async (t) => {
  const { database } = await makeSqliteWorld(t);
  for (const open of [database.snapshot, database.transaction]) {
    const settings = await open(async (queries) => [
      await pragma(queries, "journal_mode"),
      await pragma(queries, "synchronous"),
      await pragma(queries, "foreign_keys"),
      await pragma(queries, "secure_delete"),
      await pragma(queries, "auto_vacuum"),
      await pragma(queries, "page_size"),
    ]);
    assert.deepEqual(settings, ["wal", 2, 1, 1, 2, 8_192]);
  }
  const add = (queries: Queries) => addOrganization(queries, { name: "x", timeZone: "UTC", now: present });
  await assert.rejects(database.snapshot(add), { code: "SQLITE_READONLY" });
});

test("the bundled SQLite library has the fix for WAL corruption", async (t) => {
  const { database } = await makeSqliteWorld(t);
  const { rows } = await database.snapshot((queries) =>
    sql<{ version: string }>`select sqlite_version() as version`.execute(queries),
  );
  const [major = 0, minor = 0, patch = 0] = (rows[0]?.version ?? "").split(".").map(Number);
  assert.ok(major * 1e6 + minor * 1e3 + patch >= 3_051_003, String(rows[0]?.version));
});

test("opening a new path creates the folder and the file for this user only", async (t) => {
  const path = join(makeFolder(t), "deep", "down", "data.db");
  const database = await openDatabase(`sqlite:${path}`);
  assert.deepEqual(database.migrated, ["0001_schema"]);
  await database.close();
  assert.ok(existsSync(path));
  assert.equal(statSync(join(path, "..")).mode & 0o777, 0o700);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const again = await openDatabase(`sqlite:${path}`);
  assert.deepEqual(again.migrated, []);
  await again.close();
});

test("writers of several connections wait for each other without blocking the process", async (t) => {
  const url = `sqlite:${join(makeFolder(t), "data.db")}`;
  const databases = [await openDatabase(url), await openDatabase(url), await openDatabase(url)];
  const add = (name: string) => (queries: Queries) =>
    addOrganization(queries, { name, timeZone: "UTC", now: present });
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const first = databases[0]?.transaction(async (queries) => {
    await held;
    return add("first")(queries);
  });
  const others = databases.slice(1).map((database, index) => database.transaction(add(`other ${index}`)));
  assert.deepEqual(await databases[0]?.snapshot(listOrganizations), [], "reads are not blocked");
  release();
  await Promise.all([first, ...others]);
  const names = (await databases[0]?.snapshot(listOrganizations))?.map(({ name }) => name);
  assert.equal(names?.[0], "first");
  assert.deepEqual(names?.toSorted(), ["first", "other 0", "other 1"]);
  await Promise.all(databases.map((database) => database.close()));
});

test("a writer that is waiting goes before the next transaction of the one that is writing", async (t) => {
  const url = `sqlite:${join(makeFolder(t), "data.db")}`;
  const [busy, waiting] = [await openDatabase(url), await openDatabase(url)];
  const order: string[] = [];
  const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const first = busy.transaction(async () => {
    begun.resolve();
    await released.promise;
    order.push("first");
  });
  await begun.promise;
  const other = waiting.transaction(async () => order.push("other"));
  await setImmediate();
  // Begins as soon as the first one is over.
  const second = busy.transaction(async () => order.push("second"));
  released.resolve();
  await Promise.all([first, other, second]);
  assert.deepEqual(order, ["first", "other", "second"]);
  await busy.close();
  await waiting.close();
});

test("a transaction on a full disk fails as unavailable and leaves no rows", async (t) => {
  const { database } = await makeSqliteWorld(t);
  const name = "x".repeat(10_000);
  const filling = database.transaction(async (queries) => {
    const pages = Number(await pragma(queries, "page_count"));
    await sql`pragma max_page_count = ${sql.raw(String(pages + 20))}`.execute(queries);
    for (;;) await addOrganization(queries, { name, timeZone: "UTC", now: present });
  });
  await assert.rejects(filling, {
    code: "unavailable",
    message:
      "The database cannot be written now (SQLITE_FULL); the disk is full or read-only. Nothing was saved; try again.",
  });
  assert.deepEqual(await database.snapshot(listOrganizations), []);
});

test("opening a database without incremental auto-vacuum, such as one restored from a dump, fails", async (t) => {
  const { databaseUrl, database, folder } = await makeSqliteWorld(t);
  await database.close();
  const path = join(folder, "restored.db");
  const original = new Sqlite(databaseUrl.slice("sqlite:".length));
  original.exec(`pragma auto_vacuum = none; vacuum into '${path}'`);
  original.close();
  await assert.rejects(openDatabase(`sqlite:${path}`), /SQLite has auto_vacuum = 0; 2 is required/);
});

test("an error of opening a database names the setting and the path", async (t) => {
  const folder = makeFolder(t);
  const errors = {
    // Creating a folder in /proc never ended.
    "/proc/nowhere/data.db": "ENOENT: no such file or directory, mkdir '/proc/nowhere'",
    [folder]: "unable to open database file (SQLITE_CANTOPEN)",
  };
  for (const [path, problem] of Object.entries(errors)) {
    await assert.rejects(openDatabase(`sqlite:${path}`), {
      code: "conflict",
      message: `DATABASE_URL: sqlite:${path} cannot be opened: ${problem}`,
    });
  }
});

test("opening a database without its write-ahead log fails, and works once its -shm file is deleted", async (t) => {
  const path = join(makeFolder(t), "data.db");
  const database = await openDatabase(`sqlite:${path}`);
  t.after(() => database.close());
  await database.transaction((queries) =>
    addOrganization(queries, { name: "x", timeZone: "UTC", now: present }),
  );
  // As after the process was killed, when someone removed the log.
  const lost = join(makeFolder(t), "data.db");
  for (const suffix of ["", "-shm", "-wal"]) copyFileSync(path + suffix, lost + suffix);
  rmSync(`${lost}-wal`);
  await assert.rejects(openDatabase(`sqlite:${lost}`), {
    code: "conflict",
    message: `${lost}-wal is missing, and with it the last changes; put it back, or delete ${lost}-shm to continue without these changes`,
  });
  rmSync(`${lost}-shm`);
  await (await openDatabase(`sqlite:${lost}`)).close();
});

test("a SQLite URL must name a file, not an in-memory database", async () => {
  assert.equal(sqlitePath("sqlite:data/a.db"), "data/a.db");
  assert.equal(sqlitePath("sqlite:/var/a.db"), "/var/a.db");
  assert.equal(sqlitePath("sqlite:///var/a.db"), "/var/a.db");
  for (const url of ["sqlite:", "sqlite::memory:", "sqlite://:memory:", "data/a.db", ""]) {
    assert.equal(sqlitePath(url), undefined, url);
    await assert.rejects(openDatabase(url), AppError);
  }
});
