// Inserts or replaces rows of a table with many columns.

import { sql } from "kysely";
import { chunks, type Queries } from "./database.ts";
import { fromInputOf, inputRows, isPostgres } from "./dialect-differences.ts";
import { prepare } from "./prepare.ts";
import { kindsOf, type TableName, type Tables, tables } from "./tables.ts";

/**
 * PostgreSQL gets all rows as one array per column. SQLite gets row by row: it would parse the JSON of a row again for each
 * of its columns, which takes longer than everything else.
 *
 * @returns a function that inserts rows of an organization, or replaces those with the same key
 */
export function upsertInto<Name extends TableName>(
  table: Name,
): (
  queries: Queries,
  organizationId: number,
  rows: readonly Omit<Tables[Name], "organization_id">[],
) => Promise<void> {
  const { organization_id, ...kinds } = kindsOf(table);
  const { key } = tables[table];
  const names = Object.keys(kinds) as (keyof Omit<Tables[Name], "organization_id"> & string)[];
  const refs = (some: readonly string[], prefix = "") => sql.join(some.map((name) => sql.ref(prefix + name)));
  const others = names.filter((name) => !key.includes(name));
  const into = sql`insert into ${sql.table(table)} (organization_id, ${refs(names)})`;
  const onConflict = sql`on conflict (${refs(key)}) do update set
    ${sql.join(others.map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`))}`;
  const saveOne = prepare((queries) =>
    sql`${into} values (${sql.join([0, ...names.map(() => 0)])}) ${onConflict}`.compile(queries),
  );
  return async (queries, organizationId, rows) => {
    const values = rows.map((row) => names.map((name) => row[name]));
    if (!isPostgres(queries)) {
      for (const each of values) await saveOne(queries, [organizationId, ...each]);
      return;
    }
    for (const some of chunks(values)) {
      const input = inputRows(queries, kinds, some);
      await sql`
        ${into} select organizations.id, ${refs(names, "input.")} ${fromInputOf(organizationId, input)}
        ${onConflict}`.execute(queries);
    }
  };
}
