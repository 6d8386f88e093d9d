// Runs migrations on a SQLite database.

import { migrate, pendingMigrations } from "../migrations/migrate.ts";
import type { DatabaseOptions } from "../queries/database.ts";
import type { SqliteConnection } from "./connect.ts";

/**
 * Processes that open the file at the same time wait for each other: only one can write.
 *
 * @returns the names of the migrations that ran
 */
export async function migrateSqlite(
  { kysely, sqlite }: SqliteConnection,
  options: DatabaseOptions,
): Promise<string[]> {
  const pending = await pendingMigrations(kysely, { ...options, place: `sqlite:${sqlite.name}` });
  return pending.length === 0 ? [] : migrate((work) => kysely.transaction().execute(work));
}
