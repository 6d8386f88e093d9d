// Opens the database that a URL names.

import { AppError } from "../errors.ts";
import type { Database, DatabaseOptions, UnscopedDatabase } from "./queries/database.ts";
import type { Queries } from "./queries/queries.ts";
import { Scope } from "./queries/scope.ts";

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
  // A process loads the driver of its own database only, so that it starts sooner.
  const path = sqlitePath(url);
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

function withScopes(database: UnscopedDatabase): Database {
  const ofScope =
    <Result>(id: number, work: (scope: Scope) => Promise<Result>) =>
    (queries: Queries) =>
      work(new Scope(queries, id));
  return {
    ...database,
    queryOf(id, work) {
      return this.query(ofScope(id, work));
    },
    snapshotOf(id, work, retry) {
      return this.snapshot(ofScope(id, work), retry);
    },
    transactionOf(id, work, retry) {
      return this.transaction(ofScope(id, work), retry);
    },
  };
}
