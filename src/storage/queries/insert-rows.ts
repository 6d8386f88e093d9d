// Inserts or replaces many rows of an organization.

import { type RawBuilder, sql } from "kysely";
import { kindsOf, type TableName, type Tables, tables } from "../tables/tables.ts";
import { chunks } from "./database.ts";
import { fromInputOf, type InputType, inputRows, isPostgres } from "./dialect-differences.ts";
import { prepare } from "./prepare.ts";
import type { Scope } from "./scope.ts";

interface InsertedRows {
  into: TableName;
  /** The columns after the organization. */
  kinds: Record<string, InputType>;
  /** Values in the order of the columns. */
  rows: readonly (readonly unknown[])[];
}

const refs = (names: readonly string[], prefix = "") => sql.join(names.map((name) => sql.ref(prefix + name)));

/** Replaces the row with the same key. */
function replacing(table: TableName, names: readonly string[]): RawBuilder<unknown> {
  const { key } = tables[table];
  const others = names.filter((name) => !key.includes(name));
  return sql`on conflict (${refs(key)}) do update set
    ${sql.join(others.map((name) => sql`${sql.ref(name)} = excluded.${sql.ref(name)}`))}`;
}

/** Adds columns to those of the row with the same key. */
export function addingTo(table: TableName, names: readonly string[]): RawBuilder<unknown> {
  const sums = names.map(
    (name) => sql`${sql.ref(name)} = ${sql.ref(`${table}.${name}`)} + excluded.${sql.ref(name)}`,
  );
  return sql`on conflict (${refs(tables[table].key)}) do update set ${sql.join(sums)}`;
}

/** Inserts rows in one statement. @param onConflict by default, they replace rows with the same key */
export async function insertRows(
  scope: Scope,
  { into, kinds, rows }: InsertedRows,
  onConflict = replacing(into, Object.keys(kinds)),
): Promise<void> {
  if (rows.length === 0) return;
  const names = Object.keys(kinds);
  await sql`
    insert into ${sql.table(into)} (organization_id, ${refs(names)})
    select organizations.id, ${refs(names, "input.")}
    ${fromInputOf(scope.organizationId, inputRows(scope, kinds, rows))} ${onConflict}`.execute(scope);
}

/**
 * For a table with many columns. PostgreSQL gets all rows as one array per column. SQLite gets row by row: it would parse
 * the JSON of a row again for each of its columns, which takes longer than everything else.
 *
 * @returns a function that inserts rows of an organization, or replaces those with the same key
 */
export function upsertInto<Name extends TableName>(
  table: Name,
): (scope: Scope, rows: readonly Omit<Tables[Name], "organization_id">[]) => Promise<void> {
  const { organization_id, ...kinds } = kindsOf(table);
  const names = Object.keys(kinds) as (keyof Omit<Tables[Name], "organization_id"> & string)[];
  const saveOne = prepare((queries) =>
    sql`insert into ${sql.table(table)} (organization_id, ${refs(names)})
      values (${sql.join([0, ...names.map(() => 0)])}) ${replacing(table, names)}`.compile(queries),
  );
  return async (scope, objects) => {
    const rows = objects.map((row) => names.map((name) => row[name]));
    if (isPostgres(scope)) {
      for (const some of chunks(rows)) await insertRows(scope, { into: table, kinds, rows: some });
    } else for (const row of rows) await saveOne(scope, [scope.organizationId, ...row]);
  };
}
