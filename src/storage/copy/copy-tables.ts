// Copies tables between two databases, which may be of different kinds, and verifies them by fingerprint.

import { createHash } from "node:crypto";
import { type RawBuilder, sql } from "kysely";
import { inputRows, isPostgres, lockOrganizations } from "../queries/dialect-differences.ts";
import type { Queries } from "../queries/queries.ts";
import { kindsOf, type TableName, tableNames, tables } from "../tables/tables.ts";

/** The tables in the order of their foreign keys. last-ids.ts copies the ids that were given out. */
export const copiedTables = tableNames.filter((name) => !tables[name].isTemporary);

/** The same for two tables exactly if their rows are the same. */
export interface Fingerprint {
  rows: number;
  /** The hash of all rows in key order, in hex. */
  sha256: string;
}

/** Values in the order of the columns, bytes in hex. */
type TableRow = readonly unknown[];

/** Limits of a batch, to limit memory. A larger row is a batch of its own. */
const maxRows = 1_000;
const maxBytes = 2 * 1024 * 1024;

/**
 * Blocks other writers of the database until the transaction ends.
 *
 * @returns whether the database is empty
 */
export async function lockIfEmpty(queries: Queries): Promise<boolean> {
  if (isPostgres(queries)) {
    // Citus would read a reference table on the coordinator, and then refuse to copy rows to other nodes.
    await sql`set local citus.enable_local_execution to off`.execute(queries);
  }
  // Every writer locks or adds an organization first.
  await lockOrganizations(queries);
  for (const table of copiedTables) {
    const { rows } = await sql`select 1 as found from ${sql.table(table)} limit 1`.execute(queries);
    if (rows.length > 0) return false;
  }
  return true;
}

export async function countAll(queries: Queries, table: TableName): Promise<number> {
  const { rows } = await sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)}`.execute(
    queries,
  );
  return rows[0]?.rows ?? 0;
}

/**
 * Copies all rows of a table.
 *
 * @param onCopied is called with the number of rows of each batch
 * @returns the fingerprint of the rows that were read
 */
export async function copyTable(
  from: Queries,
  to: Queries,
  table: TableName,
  onCopied: (rows: number) => void,
): Promise<Fingerprint> {
  return fingerprintTable(from, table, async (rows) => {
    await insertCopies(to, table, rows);
    onCopied(rows.length);
  });
}

/** @param onRows is called with each batch */
export async function fingerprintTable(
  queries: Queries,
  table: TableName,
  onRows: (rows: readonly TableRow[]) => Promise<void> | void,
): Promise<Fingerprint> {
  const hash = createHash("sha256");
  let count = 0;
  for await (const rows of readRows(queries, table)) {
    await onRows(rows);
    // JSON distinguishes numbers, text and null, and where each value ends.
    for (const row of rows) hash.update(`${JSON.stringify(row)}\n`);
    count += rows.length;
  }
  return { rows: count, sha256: hash.digest("hex") };
}

/** Without statistics PostgreSQL would choose slow plans until autovacuum has run. */
export async function analyzeTables(queries: Queries): Promise<void> {
  if (!isPostgres(queries)) return;
  await sql`analyze ${sql.join(copiedTables.map((table) => sql.table(table)))}`.execute(queries);
}

/** Batches in key order, so that each page of the index is visited once. */
async function* readRows(queries: Queries, table: TableName): AsyncGenerator<TableRow[]> {
  const columns = Object.entries(kindsOf(table));
  const keys = refs(tables[table].key);
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

/** The key of the last row of the next batch. The lengths are known without reading the values. */
async function findLast(
  queries: Queries,
  table: TableName,
  some: RawBuilder<unknown>,
): Promise<RawBuilder<unknown> | undefined> {
  const { key } = tables[table];
  const long = Object.entries(kindsOf(table)).filter(([, kind]) => kind === "text" || kind === "bytes");
  const lengths = long.map(([name]) => sql`coalesce(octet_length(${sql.ref(name)}), 0)`);
  const { rows } = await sql<Record<string, unknown> & { bytes: number }>`
    select ${refs(key)}, ${sql.join([sql`0`, ...lengths], sql` + `)} as bytes from ${sql.table(table)}
    where ${some} order by ${refs(key)} limit ${maxRows}`.execute(queries);
  let bytes = 0;
  const tooMany = rows.findIndex((row) => {
    bytes += row.bytes;
    return bytes > maxBytes;
  });
  const last = tooMany === -1 ? rows.at(-1) : rows[Math.max(tooMany - 1, 0)];
  return last && sql.join(key.map((name) => last[name]));
}

async function insertCopies(queries: Queries, table: TableName, rows: readonly TableRow[]): Promise<void> {
  const kinds = kindsOf(table);
  const names = Object.keys(kinds);
  const values = names.map((name) => sql.ref(`input.${name}`));
  await sql`
    insert into ${sql.table(table)} (${refs(names)})
    select ${sql.join(values)} from ${inputRows(queries, kinds, rows)} where true`.execute(queries);
}

function refs(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(name)));
}
