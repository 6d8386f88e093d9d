// Replaces a SQLite file by another one.

import { existsSync, renameSync, rmSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { AppError } from "../../errors.ts";
import { codeOf } from "./failures.ts";

/**
 * Renames a database file to the name of another one, or of one that does not exist.
 *
 * @throws AppError `conflict` if a process has the other one open
 */
export function replaceFile(replacement: string, path: string): void {
  const present = existsSync(path) ? lockFile(path) : undefined;
  try {
    // SQLite would add the log of the replaced file to the new one.
    for (const suffix of ["-shm", "-wal", "-journal"]) rmSync(path + suffix, { force: true });
    renameSync(replacement, path);
  } finally {
    present?.close();
  }
}

/**
 * Locks a database file until it is closed, so that no process opens it. Adds what a killed process left in the log. A file
 * that SQLite cannot read is not locked.
 *
 * @throws AppError `conflict` if a process has it open
 */
export function lockFile(path: string): Sqlite.Database {
  const sqlite = new Sqlite(path, { timeout: 0 });
  try {
    // Only a connection that is alone may leave the WAL mode.
    sqlite.pragma("journal_mode = DELETE");
    sqlite.exec("begin exclusive");
  } catch (error) {
    if (codeOf(error) === "SQLITE_BUSY") {
      sqlite.close();
      throw new AppError("conflict", `a process has ${path} open; stop "serve" and all commands first`);
    }
  }
  return sqlite;
}
