// Runs migrations: each in its own transaction, so that an interrupted run continues with the next one.

import { sql } from "kysely";
import { AppError } from "../../errors.ts";
import { isPostgres } from "../queries/dialect-differences.ts";
import type { Queries } from "../queries/queries.ts";
import { tableNames } from "../tables/tables.ts";
import { checkVersion, type MigrationRow, migrationTable } from "./check-version.ts";
import { hashOf, type Migrations, migrations } from "./migrations.ts";
import { programVersion } from "./program-version.ts";

const table = sql.table(migrationTable);

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
  const migrated: string[] = [];
  for (;;) {
    const names = await transaction((queries) => migrateOnce(queries, known));
    if (names.length === 0) return migrated;
    migrated.push(...names);
  }
}

/** @returns the name of the migration that ran; an empty list after the last */
async function migrateOnce(queries: Queries, known: Migrations): Promise<string[]> {
  await sql`create table if not exists ${table} (name varchar(255) not null primary key,
    timestamp varchar(255) not null, hash text not null, program text not null)`.execute(queries);
  const rows = await findMigrated(queries);
  for (const [name, migration] of Object.entries(known)) {
    if (rows.some((row) => row.name === name)) continue;
    for (const statement of migration(isPostgres(queries))) await sql.raw(statement).execute(queries);
    const values = [name, new Date().toISOString(), hashOf(migration), programVersion()];
    await sql`insert into ${table} values (${sql.join(values)})`.execute(queries);
    return [name];
  }
  return [];
}

/**
 * The names of the migrations that the database does not have yet. Only reads, so it never waits for a writer.
 *
 * @param place names the database in messages, without a password
 * @throws AppError `not_found` if the database must exist and does not
 * @throws AppError `conflict` if another version or another program has made the database
 */
export async function pendingMigrations(
  queries: Queries,
  { mustExist = false, place }: { mustExist?: boolean | undefined; place: string },
): Promise<string[]> {
  // Looks for tables before it reads the migrations, because another process may be creating both.
  const hasTables = isPostgres(queries) && (await usesNames(queries));
  const rows = await findMigrated(queries);
  if (hasTables || rows.length > 0) checkVersion(rows, place);
  if (mustExist && rows.length === 0) throw databaseNotFound(place);
  return Object.keys(migrations).filter((migration) => !rows.some(({ name }) => name === migration));
}

/** @param place as in {@link pendingMigrations} */
export function databaseNotFound(place: string): AppError {
  const problem = place.startsWith("sqlite:")
    ? `there is no database at ${place}; run the command in the folder of the database, set DATABASE_URL`
    : "there is no email-analytics database at this PostgreSQL URL; correct DATABASE_URL";
  return new AppError("not_found", `${problem}, create one with "email-analytics init", or restore a backup`);
}

/** Whether a table has the name of one of ours. A server may have others: those of extensions. */
async function usesNames(queries: Queries): Promise<boolean> {
  const { rows } = await sql`select 1 from pg_catalog.pg_tables
    where schemaname = current_schema() and tablename in (${sql.join(tableNames)}) limit 1`.execute(queries);
  return rows.length > 0;
}

async function findMigrated(queries: Queries): Promise<MigrationRow[]> {
  try {
    // All columns, because older versions lack some.
    return (await sql<MigrationRow>`select * from ${table} order by name`.execute(queries)).rows;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    const isMissing = code === "42P01" || message.startsWith("no such table");
    if (isMissing) return [];
    throw error;
  }
}
