// The embedded SQLite database: one file, one writer at a time.

import { existsSync, statfsSync, statSync } from "node:fs";
import { AppError } from "../../errors.ts";
import { databaseNotFound, pendingMigrations } from "../migrations/migrate.ts";
import type { DatabaseOptions, UnscopedDatabase } from "../queries/database.ts";
import type { WritingConnection } from "./connect.ts";
import { createFile } from "./create-file.ts";
import { codeOf, isUnwritable, toAppError, toOpenError } from "./failures.ts";
import { migrateSqlite } from "./migrate.ts";
import {
  type OpenFile,
  openForReading,
  openForWriting,
  sizeOfLog,
  stateOf,
  tryToWrite,
} from "./open-file.ts";
import { shrinkFile, vacuumFile } from "./vacuum.ts";

/**
 * Opens a database file, creates it if needed and runs pending migrations. On a full or read-only disk it opens an
 * existing file for reading; see `writeProblem` of the database.
 *
 * @throws AppError if the file cannot be opened, or the SQLite library or a setting of the database is unsafe
 */
export async function openSqliteDatabase(
  path: string,
  options: DatabaseOptions = {},
): Promise<UnscopedDatabase> {
  try {
    // A file in a folder without permission is not "missing": opening it reports the real error.
    if (options.mustExist && !statSync(path, { throwIfNoEntry: false }))
      throw databaseNotFound(`sqlite:${path}`);
    createFile(path);
    checkLog(path);
    const { file, migrated } = await openFile(path, options);
    return toDatabase(path, file, migrated, options);
  } catch (error) {
    throw toOpenError(error, path);
  }
}

async function openFile(
  path: string,
  options: DatabaseOptions,
): Promise<{ file: OpenFile; migrated: string[] }> {
  let file: OpenFile;
  try {
    file = openForWriting(path, options.writesMuch ?? options.isCommand);
  } catch (cause) {
    file = await openUnwritable(path, cause);
  }
  try {
    return { file, migrated: file.writer ? await migrateSqlite(file.writer, options) : [] };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** @param cause why the file cannot be written; thrown if it cannot be read either, or its tables are missing or old */
async function openUnwritable(path: string, cause: unknown): Promise<OpenFile> {
  if (!isUnwritable(cause)) throw cause;
  const file = await openForReading(path).catch(() => {
    throw cause;
  });
  if ((await pendingMigrations(file.queries, { place: `sqlite:${path}` })).length === 0) return file;
  await file.close();
  throw cause;
}

function toDatabase(
  path: string,
  opened: OpenFile,
  migrated: string[],
  { writesMuch }: DatabaseOptions,
): UnscopedDatabase {
  let file = opened;
  /** Connections from before the file could be written. Statements may still be running on them. */
  const retired: OpenFile[] = [];
  /** Opens the file for writing, unless it is already. @throws an error of SQLite */
  const openAgain = (): WritingConnection => {
    if (file.writer) return file.writer;
    const reopened = openForWriting(path, writesMuch);
    retired.push(file);
    file = reopened;
    return reopened.writer as WritingConnection;
  };
  const writer = (): WritingConnection => {
    try {
      return openAgain();
    } catch (error) {
      throw toAppError(error);
    }
  };
  const reading = (): OpenFile => {
    if (file.unlockedState !== undefined && file.unlockedState !== stateOf(path)) writer();
    return file;
  };
  const vacuum = async () => vacuumFile(writer());
  return {
    migrated,
    isShared: false,
    maxWriters: 1,
    query: (work) => work(reading().queries),
    snapshot: (work) => reading().snapshots.transaction().execute(work),
    async transaction(work) {
      const { kysely } = writer();
      try {
        return await kysely.transaction().execute(work);
      } catch (error) {
        throw toAppError(error);
      }
    },
    shrink: async () => shrinkFile(writer()),
    vacuum,
    wipe: vacuum,
    writeProblem() {
      try {
        if (file.writer) tryToWrite(path);
        else openAgain();
        const free = freeBytesOf(path);
        return free < minFreeBytes
          ? `The disk of the database is full: only ${free} bytes are free.`
          : undefined;
      } catch (error) {
        return isUnwritable(error)
          ? `The database can only be read (${codeOf(error)}); its disk is full or read-only.`
          : `The database cannot be written: ${(error as Error).message} (${codeOf(error)}).`;
      }
    },
    async measureUse() {
      return { bytes: statSync(path).size, logBytes: sizeOfLog(path), freeBytes: freeBytesOf(path) };
    },
    async close() {
      for (const each of [...retired, file]) await each.close();
    },
  };
}

/** A small write may still succeed, in the space that the write-ahead log already has, while a batch of events fails. */
const minFreeBytes = 1024 * 1024;

function freeBytesOf(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
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
