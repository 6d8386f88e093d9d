// Opens the connections to a SQLite file: for writing, or for reading alone where the disk is full or read-only.

import { statSync } from "node:fs";
import type { Kysely } from "kysely";
import type { Tables } from "../tables.ts";
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
export function openForWriting(path: string): OpenFile {
  const writer = connectWriter(path);
  try {
    // From now on the dialect waits for other writers, without blocking the process.
    writer.sqlite.pragma("busy_timeout = 0");
    tryToWrite(writer);
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

/** On a read-only disk a connection opens if the write-ahead log exists; only a transaction that writes fails. */
function tryToWrite({ sqlite }: SqliteConnection): void {
  try {
    sqlite.exec("begin immediate; rollback");
  } catch (error) {
    if (codeOf(error) !== "SQLITE_BUSY") throw error;
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

function sizeOfLog(path: string): number {
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
