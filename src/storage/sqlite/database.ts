// The embedded database: SQLite, one file, nothing to install.

import { closeSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { Kysely } from "kysely";
import { AppError } from "../../errors.ts";
import type { Database, DatabaseOptions } from "../database.ts";
import { databaseNotFound, migrate, pendingMigrations } from "../migrations/migrate.ts";
import type { Tables } from "../tables.ts";
import { busyTimeoutMs, QueuedSqliteDialect, retryEveryMs, retryWhileBusy } from "./dialect.ts";

/** Below it, SQLite may corrupt a WAL database when connections checkpoint at once (sqlite.org/wal.html). */
const oldestSqlite = "3.51.3";
/** 2 MB: whoever waits behind it waits for some milliseconds. */
const pagesGivenBackAtOnce = 500;
const emptyLogMsMax = 5_000;
const writersCacheKib = 32 * 1024;
/** 40 MB. */
const pagesPerCheckpoint = 10_000;

/**
 * Opens the file, and creates or upgrades it where that is needed.
 *
 * @throws Refusal when the SQLite library or a setting of the database cannot be relied upon
 */
export async function openSqliteDatabase(path: string, options: DatabaseOptions = {}): Promise<Database> {
  // Where nobody may look, it may well be there, and the error says so.
  if (options.mustExist && !statSync(path, { throwIfNoEntry: false })) throw databaseNotFound();
  // Nobody else on the machine may read it; SQLite gives its other files the same rights.
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  createFile(path);
  const { kysely: writing, sqlite } = openConnection(path, "writing");
  let migrated: string[] = [];
  try {
    const isBehind = (await pendingMigrations(writing, options)).length > 0;
    if (isBehind) migrated = await migrate((work) => writing.transaction().execute(work));
  } catch (error) {
    await writing.destroy();
    throw error;
  }
  // From here on a writer waits for its turn without holding up everything else in the process.
  sqlite.pragma("busy_timeout = 0");
  const { kysely: reading } = openConnection(path, "reading");
  // A transaction that reads would give its own, older state to whoever looks in between.
  const { kysely: looking } = openConnection(path, "reading");
  const transaction: Database["transaction"] = (work) => writing.transaction().execute(work);
  const vacuum = () =>
    writing.connection().execute(async () => {
      await retryWhileBusy(async () => sqlite.exec("vacuum"));
      return emptyLog(sqlite);
    });
  return {
    migrated,
    isShared: false,
    writersMax: 1,
    query: (work) => work(looking),
    snapshot: (work) => reading.transaction().execute(work),
    transaction,
    async shrink() {
      while (sqlite.pragma("freelist_count", { simple: true }) !== 0) {
        await transaction(async () => sqlite.exec(`pragma incremental_vacuum(${pagesGivenBackAtOnce})`));
      }
      return writing.connection().execute(() => emptyLog(sqlite));
    },
    vacuum,
    wipe: vacuum,
    async close() {
      await looking.destroy();
      await reading.destroy();
      await writing.destroy();
    },
  };
}

/** A file that is there is left alone: to close it here would end every lock that this process has on it. */
function createFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/**
 * One connection. `synchronous=FULL` waits for the disk at each commit (better-sqlite3 would open WAL databases at
 * NORMAL, which may lose the last commits when the power fails).
 */
function openConnection(path: string, purpose: "reading" | "writing") {
  const sqlite = new Sqlite(path, { timeout: busyTimeoutMs });
  try {
    // Takes effect in an empty database only.
    if (sqlite.pragma("page_count", { simple: true }) === 0) sqlite.pragma("auto_vacuum = INCREMENTAL");
    sqlite.pragma("journal_mode = WAL");
    sqlite.pragma("synchronous = FULL");
    sqlite.pragma("secure_delete = ON");
    sqlite.pragma("foreign_keys = ON");
    sqlite.pragma("journal_size_limit = 67108864");
    if (purpose === "reading") sqlite.pragma("query_only = ON");
    else {
      // Events touch pages all over the file: fewer are read again, and each is copied from the log once for many commits.
      sqlite.pragma(`cache_size = -${writersCacheKib}`);
      sqlite.pragma(`wal_autocheckpoint = ${pagesPerCheckpoint}`);
    }
    checkConnection(sqlite, path);
  } catch (error) {
    sqlite.close();
    throw error;
  }
  return { sqlite, kysely: new Kysely<Tables>({ dialect: new QueuedSqliteDialect(sqlite, purpose) }) };
}

/** The log of writes keeps what was overwritten until it is emptied; who reads meanwhile holds that up. */
async function emptyLog(sqlite: Sqlite.Database): Promise<boolean> {
  const giveUpAt = performance.now() + emptyLogMsMax;
  for (;;) {
    const [state] = sqlite.pragma("wal_checkpoint(TRUNCATE)") as { busy: number }[];
    if (state?.busy === 0) return true;
    if (performance.now() > giveUpAt) return false;
    await pause(retryEveryMs);
  }
}

/** Reads back what was asked for: SQLite ignores what it cannot do (WAL on a network disk, say). */
function checkConnection(sqlite: Sqlite.Database, path: string): void {
  const version = sqlite.prepare("select sqlite_version()").pluck().get() as string;
  if (version.localeCompare(oldestSqlite, "en", { numeric: true }) < 0) {
    throw new AppError("conflict", `SQLite ${version} is too old; ${oldestSqlite} or later is needed`);
  }
  const wanted = { journal_mode: "wal", synchronous: 2, foreign_keys: 1, secure_delete: 1, auto_vacuum: 2 };
  for (const [name, value] of Object.entries(wanted)) {
    const found = sqlite.pragma(name, { simple: true });
    if (found !== value) {
      throw new AppError("conflict", `${path}: SQLite keeps ${name} at ${found} where ${value} is needed`);
    }
  }
}
