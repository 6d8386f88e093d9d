// Every difference between SQLite and PostgreSQL in the statements has a name here. All other SQL is the same for both.

import {
  PostgresAdapter,
  type QueryExecutorProvider,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
} from "kysely";
import type { ColumnKind } from "../tables/columns.ts";
import { kindsOf, type TableName } from "../tables/tables.ts";

type Executor = QueryExecutorProvider;

export function isPostgres(queries: Executor): boolean {
  return queries.getExecutor().adapter instanceof PostgresAdapter;
}

/** `json` is any value, stored as its JSON text; `bytes` are hex. */
export type InputType = ColumnKind | "json";

/**
 * Rows passed as parameters, as a table named `input`: one JSON parameter on SQLite, one array per column on PostgreSQL.
 * The statement is the same for any number of rows, so it is prepared once.
 *
 * @param rows values in the order of the columns
 */
export function inputRows(
  queries: Executor,
  columns: Record<string, InputType>,
  rows: readonly (readonly unknown[])[],
): RawBuilder<unknown> {
  const names = Object.keys(columns);
  const types = Object.values(columns);
  if (isPostgres(queries)) {
    const arrays = types.map((type, index) => {
      const values = rows.map((row) => arrayElement(type, row[index]));
      return sql`${values}::${sql.raw(arrayTypes[type])}`;
    });
    return sql`unnest(${sql.join(arrays)}) as input (${sql.join(names.map((name) => sql.ref(name)))})`;
  }
  const values = types.map(
    (type, index) => sql`${sql.raw(jsonValues[type](index))} as ${sql.ref(names[index] ?? "")}`,
  );
  return sql`(select ${sql.join(values)} from json_each(${JSON.stringify(rows)})) as input`;
}

/** The types of PostgreSQL arrays, whose text the driver writes. */
const arrayTypes: Record<InputType, string> = {
  integer: "bigint[]",
  number: "double precision[]",
  text: "text[]",
  json: "text[]",
  bytes: "bytea[]",
};

function arrayElement(type: InputType, value: unknown): unknown {
  if (type === "json") return JSON.stringify(value);
  return type === "bytes" ? `\\x${value}` : value;
}

/** SQLite expressions for a value of a JSON row. */
const jsonValues: Record<InputType, (index: number) => string> = {
  integer: (index) => `value ->> ${index}`,
  number: (index) => `value ->> ${index}`,
  text: (index) => `value ->> ${index}`,
  json: (index) => `value -> ${index}`,
  bytes: (index) => `unhex(value ->> ${index})`,
};

/**
 * {@link inputRows} for `update … from`. Without the limit, SQLite would parse the JSON again for every updated row; with
 * it, SQLite materializes the rows first.
 */
export function inputRowsForUpdate(
  queries: Executor,
  columns: Record<string, InputType>,
  rows: readonly (readonly unknown[])[],
): RawBuilder<unknown> {
  const input = inputRows(queries, columns, rows);
  return isPostgres(queries) ? input : sql`(select * from ${input} limit -1) as input`;
}

/**
 * A `from` clause that joins the input rows to a table by its key; more conditions may follow with `and`. The lateral
 * join with `offset 0` forces PostgreSQL to look up each key: without statistics for a new organization it would read
 * all of that organization's rows.
 *
 * @param condition compares the whole key of the table
 */
export function joinByKey(
  queries: Executor,
  input: RawBuilder<unknown>,
  table: string,
  condition: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const name = sql.table(table);
  if (isPostgres(queries)) {
    return sql`from ${input} cross join lateral (select * from ${name} where ${condition} offset 0) as ${name} where true`;
  }
  return sql`from ${input} cross join ${name} where ${condition}`;
}

/**
 * A `from` clause of the rows of an organization with these keys.
 *
 * @param columns of the key, without the organization
 * @param keys sorted, so that each page of the index is visited once
 */
export function fromKeys(
  scope: Executor & { organizationId: number },
  table: TableName,
  columns: readonly string[],
  keys: readonly (readonly unknown[])[],
): RawBuilder<unknown> {
  const own = sql`${sql.ref(`${table}.organization_id`)} = ${scope.organizationId}`;
  const equal = columns.map((name) => sql`${sql.ref(`${table}.${name}`)} = ${sql.ref(`input.${name}`)}`);
  const input = inputRows(scope, kindsOf(table, columns), keys);
  return joinByKey(scope, input, table, sql.join([own, ...equal], sql` and `));
}

/**
 * A `from` clause of the rows to insert for an organization, whose id is `organizations.id`. With a table of the
 * organization in it, Citus runs an `insert … select` on its node. Otherwise Citus would collect the rows on the
 * coordinator and commit in two phases: after the crash of a node, committed rows can be invisible for a minute.
 */
export function fromInputOf(organizationId: number, input: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`from organizations cross join ${input} where organizations.id = ${organizationId}`;
}

/** Whether a column equals any of the values, which take one parameter. */
export function isAnyOf(queries: Executor, column: string, values: readonly unknown[]): RawBuilder<boolean> {
  return isPostgres(queries)
    ? sql`${sql.ref(column)} = any(${values})`
    : sql`${sql.ref(column)} in (select value from json_each(${JSON.stringify(values)}))`;
}

/** An object in a JSON text as JSON text; null if there is none. */
export function jsonMember(queries: Executor, column: string, name: string): RawBuilder<string | null> {
  return sql`${sql.ref(column)}${sql.raw(isPostgres(queries) ? "::json" : "")} ->> ${sql.lit(name)}`;
}

/** A JSON text without one of its members; the same if it has none. @param path of digits and letters only */
export function withoutMember(
  queries: Executor,
  column: string,
  path: readonly string[],
): RawBuilder<string> {
  return isPostgres(queries)
    ? sql`(${sql.ref(column)}::jsonb #- ${sql.lit(`{${path.join(",")}}`)})::text`
    : sql`json_remove(${sql.ref(column)}, ${sql.lit(`$${path.map((name) => `."${name}"`).join("")}`)})`;
}

/**
 * Lets no other transaction add or change an organization until this one ends. SQLite has a single writer and needs no lock.
 */
export async function lockOrganizations(queries: Executor): Promise<void> {
  if (isPostgres(queries)) await sql`lock table organizations in exclusive mode`.execute(queries);
}

/** The day of the week of a date as text, from 0, Monday, to 6. */
export function weekdayOf(queries: Executor, column: string): RawBuilder<number> {
  return isPostgres(queries)
    ? sql`cast(extract(isodow from cast(${sql.ref(column)} as date)) as integer) - 1`
    : sql`(cast(strftime('%w', ${sql.ref(column)}) as integer) + 6) % 7`;
}

/** Bytes as lower-case hex. */
export function toHex(queries: Executor, column: string): RawBuilder<string> {
  return isPostgres(queries) ? sql`encode(${sql.ref(column)}, 'hex')` : sql`lower(hex(${sql.ref(column)}))`;
}

/**
 * Locks the selected rows until the transaction ends (`for no key update`); inserting rows that refer to them stays
 * possible. SQLite has a single writer and needs no lock.
 */
export function forUpdate<Tables, Table extends keyof Tables, Row>(
  queries: Executor,
  select: SelectQueryBuilder<Tables, Table, Row>,
): SelectQueryBuilder<Tables, Table, Row> {
  return isPostgres(queries) ? select.forNoKeyUpdate() : select;
}
