// Backs up an organization and restores it, as an operator does with the whole database.

import { sql } from "kysely";
import { copiedTables } from "../../src/storage/copy/copy-tables.ts";
import type { Database } from "../../src/storage/queries/database.ts";

/** Backs up all rows of an organization. @returns restores them */
export async function backUp(database: Database, id: number): Promise<() => Promise<void>> {
  const ofOrganization = (table: string) =>
    sql`${sql.table(table)} where ${sql.ref(table === "organizations" ? "id" : "organization_id")} = ${id}`;
  const backup = await database.snapshot((queries) =>
    Promise.all(
      copiedTables.map(async (table) => {
        const { rows } = await sql<object>`select * from ${ofOrganization(table)}`.execute(queries);
        return { table, rows };
      }),
    ),
  );
  return () =>
    database.transaction(async (queries) => {
      for (const { table } of backup.toReversed()) {
        await sql`delete from ${ofOrganization(table)}`.execute(queries);
      }
      for (const { table, rows } of backup) {
        if (rows.length > 0)
          await queries
            .insertInto(table)
            .values(rows as never)
            .execute();
      }
    });
}
