// Opens the database at an address, whichever of the two it names.

import { AppError } from "../errors.ts";
import type { Database, DatabaseOptions } from "./database.ts";
import { openPostgresDatabase } from "./postgres/database.ts";
import { openSqliteDatabase } from "./sqlite/database.ts";

/** What is accepted as an address, in words. */
export const acceptedDatabaseUrls =
  "an address of the form sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE";

/**
 * Opens the database at an address, and creates or upgrades its tables where that is needed.
 *
 * @param url {@link acceptedDatabaseUrls}
 * @throws Refusal when the address, or a setting of the database, cannot be relied upon
 */
export async function openDatabase(url: string, options: DatabaseOptions = {}): Promise<Database> {
  const path = sqlitePath(url);
  if (path) return openSqliteDatabase(path, options);
  if (isPostgresUrl(url)) return openPostgresDatabase(url, options);
  throw new AppError("bad_request", `DATABASE_URL: not ${acceptedDatabaseUrls}`);
}

/** The file of an address `sqlite:PATH`; undefined for any other. A database in memory has one connection only. */
export function sqlitePath(url: string): string | undefined {
  return /^sqlite:(?!(?:\/\/)?:memory:)(?:\/\/)?(.+)$/.exec(url)?.[1];
}

export function isPostgresUrl(url: string): boolean {
  return /^postgres(?:ql)?:\/\/./.test(url) && URL.canParse(url);
}
