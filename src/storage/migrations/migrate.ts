// Runs migrations: each in its own transaction, so that an interrupted run continues with the next one.

import { sql } from "kysely";
import { DEFAULT_MIGRATION_TABLE, Migrator } from "kysely/migration";
import { AppError } from "../../errors.ts";
import type { Queries } from "../database.ts";
import { type Migrations, migrations } from "./migrations.ts";

/** Runs one migration in a transaction of its own; only one process at a time may be in it. */
export type MigrationTransaction = (work: (queries: Queries) => Promise<string[]>) => Promise<string[]>;

/**
 * Runs the migrations that the database does not have yet. Several processes may call it at the same time.
 *
 * @param known all migrations of this version
 * @returns the names of those that ran
 */
export async function migrate(
  transaction: MigrationTransaction,
  known: Migrations = migrations,
): Promise<string[]> {
  const provider = { getMigrations: async () => known };
  const migrated: string[] = [];
  for (;;) {
    const names = await transaction(async (queries) => {
      const { error, results = [] } = await new Migrator({ db: queries, provider }).migrateUp();
      if (error) throw error;
      return results.map(({ migrationName }) => migrationName);
    });
    if (names.length === 0) return migrated;
    migrated.push(...names);
  }
}

/**
 * The names of the migrations that the database does not have yet. Only reads, so it never waits for a writer.
 *
 * @throws AppError `not_found` if the database must exist and does not
 * @throws AppError `conflict` if a newer version has migrated the database
 */
export async function pendingMigrations(
  queries: Queries,
  { mustExist = false, path }: { mustExist?: boolean | undefined; path?: string } = {},
): Promise<string[]> {
  const done = await findMigrated(queries);
  if (mustExist && done.length === 0) throw databaseNotFound(path);
  if (!done.every((name) => name in migrations)) {
    throw new AppError(
      "conflict",
      "a newer version of email-analytics has migrated this database; install that version, or use another DATABASE_URL",
    );
  }
  return Object.keys(migrations).filter((name) => !done.includes(name));
}

/** @param path of a SQLite file. The message leaves out a PostgreSQL URL, which may contain a password. */
export function databaseNotFound(path?: string): AppError {
  const problem =
    path === undefined
      ? "there is no email-analytics database at this PostgreSQL URL; correct DATABASE_URL"
      : `there is no database at sqlite:${path}; run the command in the folder of the database, set DATABASE_URL`;
  return new AppError("not_found", `${problem}, create one with "email-analytics init", or restore a backup`);
}

async function findMigrated(queries: Queries): Promise<string[]> {
  const table = sql.table(DEFAULT_MIGRATION_TABLE);
  try {
    const { rows } = await sql<{ name: string }>`select name from ${table}`.execute(queries);
    return rows.map(({ name }) => name);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    const isMissing = code === "42P01" || message.startsWith("no such table");
    if (isMissing) return [];
    throw error;
  }
}
