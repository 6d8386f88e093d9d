// The first migration: creates the tables, indexes and sequences of a new database. Before the first release it takes them
// from tables.ts; with the release its statements are written out here, and later migrations change what they created.

import { idSequences } from "../queries/ids.ts";
import type { ColumnKind } from "../tables/columns.ts";
import { type TableName, tableNames, tables } from "../tables/tables.ts";

export function schema(isServer: boolean): string[] {
  // A row that counts ids would make every transaction wait for the one that took the last id.
  const sequences = Object.values(idSequences).map((name) => `create sequence ${name}`);
  const names = tableNames.filter((name) => !isServer || name !== "counters");
  const statements = names.flatMap((name) => {
    const create = createTable(name, isServer ? postgresTerms : sqliteTerms);
    return [create, ...(tables[name].indexes ?? [])];
  });
  return [...(isServer ? sequences : []), ...statements];
}

/** What differs between the two databases. */
interface Terms {
  types: Record<ColumnKind, string>;
  /** Storage options of a table. */
  storage: Record<"often" | "often, long", string>;
  hasAllReferences: boolean;
}

const sqliteTerms: Terms = {
  types: { integer: "bigint", number: "real", text: "text", bytes: "blob" },
  // Storing rows in the key's B-tree, without a rowid, halves both size and work.
  storage: { often: "without rowid", "often, long": "" },
  hasAllReferences: true,
};

/** Leaves room in each page for new row versions. */
const withRoom = "with (fillfactor = 80)";

const postgresTerms: Terms = {
  // Text compares byte by byte, as in SQLite, so both databases sort alike.
  types: { integer: "bigint", number: "double precision", text: `text collate "C"`, bytes: "bytea" },
  storage: { often: withRoom, "often, long": withRoom },
  hasAllReferences: false,
};

function createTable(name: TableName, { types, storage, hasAllReferences }: Terms): string {
  const table = tables[name];
  const isShared = table.key[0] !== "organization_id";
  const columns = Object.entries(table.columns).map(([column, { kind, isNullable }]) => {
    const isKey = isShared && table.key.includes(column);
    return `${column} ${types[kind]}${isKey ? " primary key" : isNullable ? "" : " not null"}`;
  });
  const unique = Object.entries(table.unique ?? {}).map(
    ([constraint, of]) => `constraint ${constraint} unique (organization_id, ${of.join(", ")})`,
  );
  const references = { ...table.references, ...(hasAllReferences ? table.sqliteReferences : {}) };
  const lines = [
    ...columns,
    ...(isShared ? [] : [`constraint ${name}_key primary key (${table.key.join(", ")})`]),
    ...unique,
    ...Object.entries(references).map(([column, target]) => foreignKey(name, column, target)),
  ];
  return `create table ${name} (${lines.join(",\n  ")}) ${table.changes ? storage[table.changes] : ""}`;
}

function foreignKey(table: TableName, column: string, target: string): string {
  const [from, to] =
    target === "organizations" ? [column, "id"] : [`organization_id, ${column}`, "organization_id, id"];
  return `constraint ${table}_${column.replace(/_id$/, "")} foreign key (${from})
    references ${target} (${to}) on delete cascade`;
}
