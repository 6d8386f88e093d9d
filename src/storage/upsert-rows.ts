// Inserts or replaces rows of a table with many columns.

import { sql } from "kysely";
import { chunks, type Queries } from "./database.ts";
import { fromInputOf, inputRows, isPostgres } from "./dialect-differences.ts";
import { prepare } from "./prepare.ts";
import { kindsOf, type TableName, tables } from "./tables.ts";

/**
 * PostgreSQL gets all rows as one array per column. SQLite gets row by row: it would parse the JSON of a row again for each
 * of its columns, which takes longer than everything else.
 *
 * @returns a function that saves rows, with values in the order of the columns after the organization
 */
export function upsertInto(
  table: TableName,
): (queries: Queries, organizationId: number, rows: readonly (readonly unknown[])[]) => Promise<void> {
  const { organization_id, ...kinds } = kindsOf(table);
  const { key } = tables[table];
  const names = Object.keys(kinds);
  const refs = (some: readonly string[], prefix = "") => sql.join(some.map((name) => sql.ref(prefix + name)));
  const others = names.filter((name) => !key.includes(name));
  const into = sql`insert into ${sql.table(table)} (organization_id, ${refs(names)})`;
  const onConflict = sql`on conflict (${refs(key)}) do update set
    ${sql.join(others.map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`))}`;
  const saveOne = prepare((queries) =>
    sql`${into} values (${sql.join([0, ...names.map(() => 0)])}) ${onConflict}`.compile(queries),
  );
  return async (queries, organizationId, rows) => {
    if (!isPostgres(queries)) {
      for (const row of rows) await saveOne(queries, [organizationId, ...row]);
      return;
    }
    for (const some of chunks(rows)) {
      const input = inputRows(queries, kinds, some);
      await sql`
        ${into} select organizations.id, ${refs(names, "input.")} ${fromInputOf(organizationId, input)}
        ${onConflict}`.execute(queries);
    }
  };
}
