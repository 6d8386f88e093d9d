// Distributes the tables over the nodes of a Citus cluster, co-located: all rows of an organization stay on one node.

import { type RawBuilder, sql } from "kysely";
import { AppError } from "../../errors.ts";
import { isPostgres } from "../queries/dialect-differences.ts";
import type { Queries } from "../queries/queries.ts";
import { type TableName, tableNames, tables } from "../tables/tables.ts";

/** All others stay on the coordinator. */
export const distributedTables = tableNames.filter(
  (name) => name === "organizations" || tables[name].key[0] === "organization_id",
);
/** Reference tables: every node has all of their rows. */
export const referenceTables: readonly TableName[] = ["user_emails"];

/**
 * Distributes the tables that are still local, and moves their rows. Blocks writers.
 *
 * @returns the names of the tables that were distributed
 * @throws AppError `conflict` if the database is not PostgreSQL with the Citus extension
 */
export async function distribute(queries: Queries): Promise<string[]> {
  await refuseWithoutCitus(queries);
  const { rows } = await sql<{ name: string }>`
    select table_name::text as name from citus_tables where citus_table_type in ('distributed', 'reference')`.execute(
    queries,
  );
  const done = new Set(rows.map(({ name }) => name));
  const local = [...distributedTables, ...referenceTables].filter((table) => !done.has(table));
  if (local.length === 0) return [];
  // Sequential, so that each statement of this transaction sees the changes of the one before it.
  await sql`set local citus.multi_shard_modify_mode to 'sequential'`.execute(queries);
  const keys = await dropForeignKeys(queries, local);
  for (const table of local) {
    await distributeTable(table).execute(queries);
    // Citus only copies the rows. The originals would stay on the coordinator, where no statement could delete them.
    await sql`select truncate_local_data_after_distributing_table(${sql.lit(table)})`.execute(queries);
  }
  for (const { table, name, definition } of keys) {
    await sql`alter table ${sql.table(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(
      queries,
    );
  }
  return local;
}

function distributeTable(table: TableName): RawBuilder<unknown> {
  if (referenceTables.includes(table)) return sql`select create_reference_table(${sql.lit(table)})`;
  return table === "organizations"
    ? sql`select create_distributed_table('organizations', 'id')`
    : sql`select create_distributed_table(${sql.lit(table)}, 'organization_id', colocate_with => 'organizations')`;
}

async function refuseWithoutCitus(queries: Queries): Promise<void> {
  if (!isPostgres(queries)) {
    throw new AppError(
      "conflict",
      "--distribute needs PostgreSQL with the Citus extension; this database is SQLite",
    );
  }
  const { rows } = await sql`select 1 from pg_extension where extname = 'citus'`.execute(queries);
  if (rows.length > 0) return;
  throw new AppError(
    "conflict",
    "the database has no Citus extension; install it on every node of the cluster, run CREATE EXTENSION citus, and add the nodes with citus_add_node (a single server needs no --distribute)",
  );
}

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

/** Citus allows no foreign key between a distributed and a local table. */
async function dropForeignKeys(queries: Queries, tables: readonly string[]): Promise<ForeignKey[]> {
  const { rows } = await sql<ForeignKey>`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f' and conparentid = 0 and connamespace = current_schema()::regnamespace
      and conrelid::regclass::text in (${sql.join(tables)})
    order by conname`.execute(queries);
  for (const { table, name } of rows) {
    await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(queries);
  }
  return rows;
}
