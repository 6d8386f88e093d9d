// Opens the connections to a SQLite file: for writing, or for reading alone where the disk is full or read-only.

import { statSync } from "node:fs";
import Sqlite from "better-sqlite3";
import type { Kysely } from "kysely";
import type { Tables } from "../tables/tables.ts";
import { connectReader, connectWriter, type SqliteConnection, type WritingConnection } from "./connect.ts";
import { codeOf } from "./failures.ts";
import { connectImmutable } from "./immutable.ts";

export interface OpenFile {
  /** Undefined if the file can only be read. */
  writer: WritingConnection | undefined;
  queries: Kysely<Tables>;
  /** Apart from `queries`, which within a snapshot's transaction would see that older state. */
  snapshots: Kysely<Tables>;
  /** The state of a file that is read without locks: another process that writes changes it unnoticed. */
  unlockedState: string | undefined;
  close(): Promise<void>;
}

/** @throws an error of SQLite if the file cannot be written */
export function openForWriting(path: string, writesMuch?: boolean): OpenFile {
  const writer = connectWriter(path, writesMuch);
  try {
    // From now on the dialect waits for other writers, without blocking the process.
    writer.sqlite.pragma("busy_timeout = 0");
    tryToWrite(path);
    const readers = connectReaders(path);
    const close = async () => {
      await readers.close();
      await closeConnection(writer);
      writer.turns.close();
    };
    return { writer, ...readers, close, unlockedState: undefined };
  } catch (error) {
    writer.sqlite.close();
    writer.turns.close();
    throw error;
  }
}

const triedBytes = 64 * 1024;

/**
 * Writes to the log and takes it back. On a full or read-only disk a connection opens if the log exists, and a transaction
 * may begin.
 *
 * @throws an error of SQLite if the file cannot be written
 */
export function tryToWrite(path: string): void {
  const sqlite = new Sqlite(path, { fileMustExist: true, timeout: 0 });
  try {
    // With a cache of one page, a transaction writes the others to the log before its end.
    sqlite.pragma("cache_size = 1");
    sqlite.exec(
      `begin immediate; create table tried (bytes); insert into tried values (zeroblob(${triedBytes})); rollback`,
    );
  } catch (error) {
    // Another connection writes, or reads the log that a closed connection left (SQLITE_BUSY_RECOVERY).
    if (!codeOf(error).startsWith("SQLITE_BUSY")) throw error;
  } finally {
    sqlite.close();
  }
}

/**
 * Opens a file that cannot be written now.
 *
 * @throws an error of SQLite if it cannot be read either
 */
export async function openForReading(path: string): Promise<OpenFile> {
  if (sizeOfLog(path) > 0) return { writer: undefined, ...connectReaders(path), unlockedState: undefined };
  const unlockedState = stateOf(path);
  const [queries, snapshots] = [await connectImmutable(path), await connectImmutable(path)];
  const close = async () => {
    await queries.destroy();
    await snapshots.destroy();
  };
  return { writer: undefined, queries, snapshots, unlockedState, close };
}

/** Differs after another process has written to the file or its write-ahead log. */
export function stateOf(path: string): string {
  const { mtimeMs, size } = statSync(path);
  return `${mtimeMs} ${size} ${sizeOfLog(path)}`;
}

/** The bytes of the write-ahead log. */
export function sizeOfLog(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}

function connectReaders(path: string): Pick<OpenFile, "queries" | "snapshots" | "close"> {
  const [queries, snapshots] = [connectReader(path), connectReader(path)];
  const close = async () => {
    await closeConnection(queries);
    await closeConnection(snapshots);
  };
  return { queries: queries.kysely, snapshots: snapshots.kysely, close };
}

/** Kysely closes only a connection that was used. SQLite removes its files when the last connection closes. */
async function closeConnection({ kysely, sqlite }: SqliteConnection): Promise<void> {
  await kysely.destroy();
  sqlite.close();
}
