// What differs between SQLite and PostgreSQL in the statements, by name. All other SQL is the same for both.

import {
  PostgresAdapter,
  type QueryExecutorProvider,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
} from "kysely";
import { type ElementType, elementTypes, toBinaryArray } from "./postgres/arrays.ts";

type Dialect = QueryExecutorProvider;

export function isPostgres(queries: Dialect): boolean {
  return queries.getExecutor().adapter instanceof PostgresAdapter;
}

/**
 * Whether the database is at work while the program goes on. On SQLite it is not, and there nothing may be begun beside
 * something else of the same transaction: on a full disk SQLite undoes all of it by itself, and what came afterwards
 * would stay.
 */
export function worksAside(queries: Dialect): boolean {
  return isPostgres(queries);
}

/** `json` is any value, stored as the text of it; `bytes` are given in hex. */
type GivenType = ElementType | "json";

/**
 * Rows that go with a statement, however many, as a table named `given`: in one parameter (SQLite), or in one for each
 * column (PostgreSQL).
 *
 * @param rows values in the order of the columns
 */
export function givenRows(
  queries: Dialect,
  columns: Record<string, GivenType>,
  rows: readonly (readonly unknown[])[],
): RawBuilder<unknown> {
  const names = Object.keys(columns);
  const types = Object.values(columns);
  if (isPostgres(queries)) {
    const lists = types.map((type, place) => {
      const values = rows.map((row) => (type === "json" ? JSON.stringify(row[place]) : row[place]));
      const element = type === "json" ? "text" : type;
      return sql`${toBinaryArray(element, values)}::${sql.raw(elementTypes[element].list)}`;
    });
    return sql`unnest(${sql.join(lists)}) as given (${sql.join(names.map((name) => sql.ref(name)))})`;
  }
  const values = types.map(
    (type, place) => sql`${sql.raw(members[type](place))} as ${sql.ref(names[place] ?? "")}`,
  );
  return sql`(select ${sql.join(values)} from json_each(${JSON.stringify(rows)})) as given`;
}

/**
 * {@link givenRows} for an update, which looks for its rows in them: SQLite would read the parameter anew for each row that
 * is updated. With a limit it makes a table of them first.
 */
export function givenForUpdate(
  queries: Dialect,
  columns: Record<string, GivenType>,
  rows: readonly (readonly unknown[])[],
): RawBuilder<unknown> {
  const given = givenRows(queries, columns, rows);
  return isPostgres(queries) ? given : sql`(select * from ${given} limit -1) as given`;
}

const members: Record<GivenType, (place: number) => string> = {
  integer: (place) => `value ->> ${place}`,
  text: (place) => `value ->> ${place}`,
  json: (place) => `value -> ${place}`,
  bytes: (place) => `unhex(value ->> ${place})`,
};

/**
 * `from` those rows of a table that belong to the given ones, each looked up by its key. PostgreSQL would read all rows
 * of an organization wherever its statistics have not heard of it yet, and has to be kept from being clever. Further
 * conditions may follow, with `and`.
 *
 * @param condition with the whole key of the table
 * @param index of SQLite that has all that is asked for in it, besides the key: SQLite would go by the key
 */
export function lookedUp(
  queries: Dialect,
  given: RawBuilder<unknown>,
  table: string,
  condition: RawBuilder<unknown>,
  index?: { onSqlite: string },
): RawBuilder<unknown> {
  const name = sql.table(table);
  if (isPostgres(queries)) {
    return sql`from ${given} cross join lateral (select * from ${name} where ${condition} offset 0) as ${name} where true`;
  }
  const by = index ? sql`indexed by ${sql.ref(index.onSqlite)}` : sql``;
  return sql`from ${given} cross join ${name} ${by} where ${condition}`;
}

/** Where a text begins in another one, from 1 on; 0 where it is not in there. */
export function positionOf(queries: Dialect, part: string, text: RawBuilder<unknown>): RawBuilder<number> {
  return isPostgres(queries) ? sql`strpos(${text}, ${part})` : sql`instr(${text}, ${part})`;
}

/** A text with its ASCII letters in lower case; what becomes of others is not said. */
export function asciiLower(queries: Dialect, text: RawBuilder<unknown>): RawBuilder<string> {
  // What the lower case is goes by the collation on PostgreSQL, and some have one of their own even for them.
  return isPostgres(queries) ? sql`lower(${text} collate "C")` : sql`lower(${text})`;
}

/** Whether a column has one of many values, in one parameter. */
export function isAmong(
  queries: Dialect,
  column: string,
  type: Exclude<ElementType, "bytes">,
  values: readonly unknown[],
): RawBuilder<boolean> {
  const { list } = elementTypes[type];
  return isPostgres(queries)
    ? sql`${sql.ref(column)} = any(${toBinaryArray(type, values)}::${sql.raw(list)})`
    : sql`${sql.ref(column)} in (select value from json_each(${JSON.stringify(values)}))`;
}

/**
 * The texts of a column one after the other, with commas between them and something around them, in the order of the rows
 * that are selected from. SQLite puts them together as they come (which is not promised, and held against an oracle by the
 * tests): to sort them once more would take a third longer.
 *
 * @param order of those rows, which PostgreSQL wants to be told
 */
export function joinedTexts(
  queries: Dialect,
  column: string,
  order: RawBuilder<unknown>,
  { before, after }: { before: string; after: string },
): RawBuilder<string> {
  const texts = sql.ref(column);
  return isPostgres(queries)
    ? sql`${before}::text || string_agg(${texts}, ',' order by ${order}) || ${after}::text`
    : sql`${before} || group_concat(${texts}, ',') || ${after}`;
}

/** Bytes as text, in lower-case hex. */
export function hexOf(queries: Dialect, column: string): RawBuilder<string> {
  return isPostgres(queries) ? sql`encode(${sql.ref(column)}, 'hex')` : sql`lower(hex(${sql.ref(column)}))`;
}

/**
 * Lets nobody else change the rows until the transaction ends. SQLite has one writer at a time anyway. (Inserts of rows
 * that refer to them are not held up.)
 */
export function locked<Tables, Table extends keyof Tables, Row>(
  queries: Dialect,
  select: SelectQueryBuilder<Tables, Table, Row>,
): SelectQueryBuilder<Tables, Table, Row> {
  return isPostgres(queries) ? select.forNoKeyUpdate() : select;
}
