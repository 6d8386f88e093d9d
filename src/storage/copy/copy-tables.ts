// Copies tables from one database into another, which may be of the other kind, some rows at a time; and what a table
// holds as one hash, so that nothing has to be believed.

import { createHash } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import type { Queries } from "../database.ts";
import { inputRows, isPostgres } from "../dialect-differences.ts";
import { type CopiedTable, copiedTableNames, copiedTables } from "./copied-tables.ts";

/** What a table holds: two databases that give the same hold the same, byte for byte. */
export interface Fingerprint {
  rows: number;
  /** Of all rows in the order of their key, in hex. */
  sha256: string;
}

/** Values in the order of the columns, bytes in hex. */
type TableRow = readonly unknown[];

/** At once; memory is bounded by both. A row that is larger comes alone. */
const rowsMax = 1_000;
const bytesMax = 2 * 1024 * 1024;

/**
 * Lets nobody else write until the transaction ends, in a database in which there is nothing yet.
 *
 * @returns whether there is really nothing
 */
export async function lockIfEmpty(queries: Queries): Promise<boolean> {
  // Whoever writes locks the organization first, or adds one.
  if (isPostgres(queries)) await sql`lock table organizations in exclusive mode`.execute(queries);
  for (const table of copiedTableNames) {
    const { rows } = await sql`select 1 as found from ${sql.table(table)} limit 1`.execute(queries);
    if (rows.length > 0) return false;
  }
  return true;
}

export async function countRows(queries: Queries, table: CopiedTable): Promise<number> {
  const { rows } = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}`.execute(
    queries,
  );
  return rows[0]?.rows ?? 0;
}

/**
 * Copies all rows of a table.
 *
 * @param told is given how many rows more are done
 * @returns what was read
 */
export async function copyTable(
  from: Queries,
  to: Queries,
  table: CopiedTable,
  told: (rows: number) => void,
): Promise<Fingerprint> {
  return fingerprintTable(from, table, async (rows) => {
    await insertRows(to, table, rows);
    told(rows.length);
  });
}

/** @param told is given the rows, some at a time */
export async function fingerprintTable(
  queries: Queries,
  table: CopiedTable,
  told: (rows: readonly TableRow[]) => Promise<void> | void,
): Promise<Fingerprint> {
  const hash = createHash("sha256");
  let count = 0;
  for await (const rows of readRows(queries, table)) {
    await told(rows);
    // JSON tells numbers, texts and nulls apart, and where each of them ends.
    for (const row of rows) hash.update(`${JSON.stringify(row)}\n`);
    count += rows.length;
  }
  return { rows: count, sha256: hash.digest("hex") };
}

/** PostgreSQL would not know how much there is in the tables until it looks by itself, and go long ways. */
export async function analyzeTables(queries: Queries): Promise<void> {
  if (!isPostgres(queries)) return;
  await sql`analyze ${sql.join(copiedTableNames.map((table) => sql.table(table)))}`.execute(queries);
}

/** In the order of the key, from one place in it to the next, so that every page of the index is visited once. */
async function* readRows(queries: Queries, table: CopiedTable): AsyncGenerator<TableRow[]> {
  const columns = Object.entries(copiedTables[table].columns);
  const keys = refs(copiedTables[table].key);
  let some = sql`true`;
  for (;;) {
    const last = await findLast(queries, table, some);
    if (!last) return;
    const { rows } = await sql<Record<string, unknown>>`
      select ${refs(columns.map(([name]) => name))} from ${sql.table(table)}
      where ${some} and (${keys}) <= (${last}) order by ${keys}`.execute(queries);
    yield rows.map((row) =>
      columns.map(([name, kind]) => (kind === "bytes" ? (row[name] as Buffer).toString("hex") : row[name])),
    );
    some = sql`(${keys}) > (${last})`;
  }
}

/** The key of the last row that is read at once. How long values are is known without reading them. */
async function findLast(
  queries: Queries,
  table: CopiedTable,
  some: RawBuilder<unknown>,
): Promise<RawBuilder<unknown> | undefined> {
  const { key, columns } = copiedTables[table];
  const long = Object.entries(columns).filter(([, kind]) => kind !== "integer");
  const lengths = long.map(([name]) => sql`coalesce(octet_length(${sql.ref(name)}), 0)`);
  const { rows } = await sql<Record<string, unknown> & { bytes: number }>`
    select ${refs(key)}, ${sql.join([sql`0`, ...lengths], sql` + `)} as bytes from ${sql.table(table)}
    where ${some} order by ${refs(key)} limit ${rowsMax}`.execute(queries);
  let bytes = 0;
  const tooMany = rows.findIndex((row) => {
    bytes += row.bytes;
    return bytes > bytesMax;
  });
  const last = tooMany === -1 ? rows.at(-1) : rows[Math.max(tooMany - 1, 0)];
  return last && sql.join(key.map((name) => last[name]));
}

async function insertRows(queries: Queries, table: CopiedTable, rows: readonly TableRow[]): Promise<void> {
  const { columns } = copiedTables[table];
  const names = Object.keys(columns);
  const values = names.map((name) => sql.ref(`input.${name}`));
  await sql`
    insert into ${sql.table(table)} (${refs(names)})
    select ${sql.join(values)} from ${inputRows(queries, columns, rows)} where true`.execute(queries);
}

function refs(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(name)));
}
