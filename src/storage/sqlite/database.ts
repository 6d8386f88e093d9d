// The embedded SQLite database: one file, one writer at a time.

import { closeSync, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { AppError } from "../../errors.ts";
import type { Database, DatabaseOptions } from "../database.ts";
import { databaseNotFound } from "../migrations/migrate.ts";
import { connect } from "./connect.ts";
import { migrateSqlite } from "./migrate.ts";
import { shrinkFile, vacuumFile } from "./vacuum.ts";

/**
 * Opens a database file, creates it if needed and runs pending migrations.
 *
 * @throws AppError if the SQLite library or a setting of the database is unsafe
 */
export async function openSqliteDatabase(path: string, options: DatabaseOptions = {}): Promise<Database> {
  // A file in a folder without permission is not "missing": opening it reports the real error.
  if (options.mustExist && !statSync(path, { throwIfNoEntry: false })) throw databaseNotFound(path);
  // Only this user may read it. SQLite gives its other files the same permissions.
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  createFile(path);
  checkLog(path);
  const writer = connect(path, "writing");
  let migrated: string[];
  try {
    migrated = await migrateSqlite(writer, options);
  } catch (error) {
    await writer.kysely.destroy();
    throw error;
  }
  // From now on the dialect waits for other writers, without blocking the process.
  writer.sqlite.pragma("busy_timeout = 0");
  const { kysely: snapshots } = connect(path, "reading");
  // A separate connection: within a snapshot's transaction a query would see that older state.
  const { kysely: queries } = connect(path, "reading");
  const vacuum = () => vacuumFile(writer);
  return {
    migrated,
    isShared: false,
    maxWriters: 1,
    query: (work) => work(queries),
    snapshot: (work) => snapshots.transaction().execute(work),
    transaction: (work) => writer.kysely.transaction().execute(work),
    shrink: () => shrinkFile(writer),
    vacuum,
    wipe: vacuum,
    async close() {
      await queries.destroy();
      await snapshots.destroy();
      await writer.kysely.destroy();
    },
  };
}

/**
 * SQLite deletes the `-shm` file before the write-ahead log, so the first one without the second means that someone removed
 * the log, with all commits since the last checkpoint.
 *
 * @throws AppError `conflict` if the log is missing
 */
function checkLog(path: string): void {
  const log = `${path}-wal`;
  // Looks twice: another process may be opening the file, and creates the log first.
  if (existsSync(log) || !existsSync(`${path}-shm`) || existsSync(log)) return;
  throw new AppError(
    "conflict",
    `${log} is missing, and with it the last changes; put it back, or delete ${path}-shm to continue without these changes`,
  );
}

/** Does not open an existing file: closing it would release all locks that this process holds on it. */
function createFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}
