// The words that describe tables. Types of rows, the schema of both databases and copies follow from what they describe.

export type ColumnKind = "integer" | "number" | "text" | "bytes";

/** The type of the values is for the compiler alone. */
export interface Column<Value = unknown> {
  kind: ColumnKind;
  isNullable: boolean;
  value?: Value;
}

export const integer: Column<number> = { kind: "integer", isNullable: false };
export const integerOrNull: Column<number | null> = { kind: "integer", isNullable: true };
/** A number that may have a fraction. */
export const number: Column<number> = { kind: "number", isNullable: false };
export const text: Column<string> = { kind: "text", isNullable: false };
export const textOrNull: Column<string | null> = { kind: "text", isNullable: true };
export const bytes: Column<Buffer> = { kind: "bytes", isNullable: false };

/** A text or number of which only some values exist. */
export const textOf = <Value extends string>() => text as Column<Value>;
export const integerOf = <Value extends number>() => integer as Column<Value>;

/** Describes a table. If its rows belong to organizations, `./tables.ts` adds `organization_id` to columns and key, first. */
export interface Table {
  columns: Record<string, Column>;
  /** The columns of the primary key. */
  key: readonly string[];
  /**
   * Foreign keys: columns with the id of a row of another table, with which the database deletes theirs. A table without
   * this and the next references `organizations`.
   */
  references?: Record<string, string>;
  /** The same on SQLite alone: PostgreSQL would look up the parent of every single row, so the code deletes them. */
  sqliteReferences?: Record<string, string>;
  /** Constraints by name, with the columns that are unique in an organization. */
  unique?: Record<string, readonly string[]>;
  /** The statements that create its indexes. */
  indexes?: readonly string[];
  /** Rows change with every event. `long` ones are longer than SQLite stores well in a table without rowid. */
  changes?: "often" | "often, long";
  /** Copies of a database leave it out. */
  isTemporary?: true;
}

/** The type of a row with these columns. */
export type RowOf<Columns> = {
  [Name in keyof Columns]: Columns[Name] extends Column<infer Value> ? Value : never;
};
