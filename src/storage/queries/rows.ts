// Statements on the rows of a table that have some values, and rows as objects with names in camel case.

import type { SelectQueryBuilder } from "kysely";
import { snakeCase } from "../../campaign/sums.ts";
import { type TableName, type Tables, tables } from "../tables/tables.ts";
import type { Queries } from "./database.ts";

/** Some columns of a row. To find rows by them, they are not null. */
type SomeColumns<Name extends TableName> = Readonly<Partial<Tables[Name]>>;

/** Selects the rows with these values. */
export function selectRows<Name extends TableName>(
  queries: Queries,
  table: Name,
  values: SomeColumns<Name>,
): SelectQueryBuilder<Tables, Name, Tables[Name]> {
  const selected = queries
    .selectFrom(table as TableName)
    .selectAll()
    .where((row) => row.and(values as Record<never, unknown>));
  return selected as unknown as SelectQueryBuilder<Tables, Name, Tables[Name]>;
}

/** How many rows have these values. */
export async function countRows<Name extends TableName>(
  queries: Queries,
  table: Name,
  values: SomeColumns<Name>,
): Promise<number> {
  const { count } = await queries
    .selectFrom(table as TableName)
    .select((rows) => rows.fn.countAll<number>().as("count"))
    .where((row) => row.and(values as Record<never, unknown>))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Changes the rows with these values. @returns how many there are */
export async function updateRows<Name extends TableName>(
  queries: Queries,
  table: Name,
  values: SomeColumns<Name>,
  change: SomeColumns<Name>,
): Promise<number> {
  const { numUpdatedRows } = await queries
    .updateTable(table as TableName)
    .set(change)
    .where((row) => row.and(values as Record<never, unknown>))
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Deletes the rows with these values. @returns how many there were */
export async function deleteRows<Name extends TableName>(
  queries: Queries,
  table: Name,
  values: SomeColumns<Name>,
): Promise<number> {
  const { numDeletedRows } = await queries
    .deleteFrom(table as TableName)
    .where((row) => row.and(values as Record<never, unknown>))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** `time_zone` is `timeZone`. */
type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** A row of a table as an object. */
export type RowObject<Name extends TableName> = {
  [Column in keyof Tables[Name] as CamelCase<Column & string>]: Tables[Name][Column];
};

/** @returns a function that makes an object of a row */
export function objectsOf<Name extends TableName>(
  table: Name,
): (row: Readonly<Tables[Name]>) => RowObject<Name> {
  const names = Object.keys(tables[table].columns).map((column) => [column, camelCase(column)] as const);
  return (row) => {
    const object: Record<string, unknown> = {};
    for (const [column, name] of names) object[name] = row[column as keyof typeof row];
    return object as RowObject<Name>;
  };
}

const camelCase = (name: string) => name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/** The columns of a part of a row. Leaves out undefined ones. */
export function columnsOf<Name extends TableName>(
  part: {
    [Property in keyof RowObject<Name>]?: RowObject<Name>[Property] | undefined;
  },
): SomeColumns<Name> {
  const values = Object.entries(part).filter(([, value]) => value !== undefined);
  return Object.fromEntries(values.map(([name, value]) => [snakeCase(name), value])) as SomeColumns<Name>;
}
