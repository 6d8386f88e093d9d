// A lock between processes: an exclusive lock of SQLite on an empty file. The operating system releases it when the process
// ends, even if it is killed.

import Sqlite from "better-sqlite3";
import { codeOf } from "./sqlite/failures.ts";

/** @returns a function that releases the lock; undefined if another process holds it */
export function lockFile(path: string): (() => void) | undefined {
  const sqlite = new Sqlite(path, { timeout: 0 });
  try {
    sqlite.exec("begin exclusive");
    return () => {
      sqlite.close();
    };
  } catch (error) {
    sqlite.close();
    if (codeOf(error) === "SQLITE_BUSY") return undefined;
    throw error;
  }
}
