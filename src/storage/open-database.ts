// Opens the database that a URL names.

import { AppError } from "../errors.ts";
import type { Database, DatabaseOptions } from "./queries/database.ts";

/** The accepted URLs, for messages. */
export const acceptedDatabaseUrls =
  "a URL of the form sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE";

/**
 * Opens a database and runs pending migrations.
 *
 * @param url {@link acceptedDatabaseUrls}
 * @throws AppError if the URL is not accepted or a setting of the database is unsafe
 */
export async function openDatabase(url: string, options: DatabaseOptions = {}): Promise<Database> {
  // A process loads the driver of its own database only, and a command without a database none, so that it starts sooner.
  const path = sqlitePath(url);
  const { withScopes } = await import("./queries/with-scopes.ts");
  if (path) return withScopes(await (await import("./sqlite/database.ts")).openSqliteDatabase(path, options));
  if (isPostgresUrl(url))
    return withScopes(await (await import("./postgres/database.ts")).openPostgresDatabase(url, options));
  throw new AppError("bad_request", `DATABASE_URL is not ${acceptedDatabaseUrls}`);
}

/** The path in a URL `sqlite:PATH`; undefined for databases in memory, which only one connection sees. */
export function sqlitePath(url: string): string | undefined {
  return /^sqlite:(?!(?:\/\/)?:memory:)(?:\/\/)?(.+)$/.exec(url)?.[1];
}

export function isPostgresUrl(url: string): boolean {
  return /^postgres(?:ql)?:\/\/./.test(url) && URL.canParse(url);
}
