// Checks the SQLite library and the settings of a connection.

import type Sqlite from "better-sqlite3";
import { AppError } from "../../errors.ts";

/** Earlier versions may corrupt a WAL database when two connections checkpoint at once (sqlite.org/wal.html). */
const minSqliteVersion = "3.51.3";

/** The values of pragmas, as SQLite reports them. */
const requiredSettings = {
  journal_mode: "wal",
  synchronous: 2, // FULL
  foreign_keys: 1,
  secure_delete: 1,
  auto_vacuum: 2, // INCREMENTAL
};

/**
 * Reads the settings back: SQLite silently ignores those that it cannot apply, such as WAL on a network drive.
 *
 * @throws AppError `conflict` if the library is too old or a setting has another value
 */
export function checkSettings(sqlite: Sqlite.Database, path: string): void {
  const version = sqlite.prepare("select sqlite_version()").pluck().get() as string;
  if (version.localeCompare(minSqliteVersion, "en", { numeric: true }) < 0) {
    throw new AppError("conflict", `SQLite ${version} is too old; version ${minSqliteVersion} is required`);
  }
  for (const [name, required] of Object.entries(requiredSettings)) {
    const actual = sqlite.pragma(name, { simple: true });
    if (actual !== required) {
      throw new AppError("conflict", `${path}: SQLite has ${name} = ${actual}; ${required} is required`);
    }
  }
}
