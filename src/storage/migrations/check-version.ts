// Refuses databases that another version of the program, or another program, has made.

import { AppError } from "../../errors.ts";
import { hashOf, migrations } from "./migrations.ts";

/** Named as the migrator of Kysely, which versions before 0.1.0 had, names it. */
export const migrationTable = "kysely_migration";

/** A row of the table of migrations. Those of versions before 0.1.0 lack `hash` and `program`. */
export interface MigrationRow {
  name: string;
  /** The {@link hashOf} the migration that ran. */
  hash?: string | null;
  /** The version of the program that ran it. */
  program?: string | null;
}

/**
 * Checks that this version has each migration that ran, with the same statements.
 *
 * @param rows none if a database with tables has no migration
 * @param place names the database in the message
 * @throws AppError `conflict` that says which version made the database, and what to do
 */
export function checkVersion(rows: readonly MigrationRow[], place: string): void {
  if (rows.length === 0) {
    throw new AppError("conflict", `${place} has tables of another program; use another DATABASE_URL`);
  }
  for (const { name, hash, program } of rows) {
    const migration = migrations[name];
    if (!migration && program) {
      throw new AppError(
        "conflict",
        `a newer version of email-analytics, ${program}, has migrated ${place}; install that version, or use another DATABASE_URL`,
      );
    }
    if (migration && hash === hashOf(migration)) continue;
    const maker =
      program && hash
        ? `email-analytics ${program} with other tables (schema ${hash.slice(0, 8)})`
        : `a version of email-analytics before 0.1.0${migration ? "" : ", or another program"}`;
    throw new AppError(
      "conflict",
      `${place} was made by ${maker}; use the version that made it, or export its campaigns with that version and import them into a new database`,
    );
  }
}
