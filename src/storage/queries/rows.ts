// Rows as objects with names in camel case.

import { snakeCase } from "../../campaign/sums.ts";
import { type TableName, type Tables, tables } from "../tables/tables.ts";

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
    [Property in Exclude<keyof RowObject<Name>, "organizationId">]?: RowObject<Name>[Property] | undefined;
  },
): Readonly<Partial<Omit<Tables[Name], "organization_id">>> {
  const values = Object.entries(part).filter(([, value]) => value !== undefined);
  return Object.fromEntries(values.map(([name, value]) => [snakeCase(name), value])) as Partial<
    Omit<Tables[Name], "organization_id">
  >;
}
