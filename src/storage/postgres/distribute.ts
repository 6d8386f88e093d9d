// Spreads the tables over the machines of a Citus cluster, each organization as a whole on one of them.

import { sql } from "kysely";
import { AppError } from "../../errors.ts";
import type { Queries } from "../database.ts";
import { isPostgres } from "../dialect-differences.ts";
import type { Tables } from "../tables.ts";

type Distribution = "by organization" | "on the coordinator" | "on SQLite only";

/** Where the rows of each table lie. */
const places: Record<keyof Tables, Distribution> = {
  organizations: "by organization",
  api_keys: "by organization",
  tags: "by organization",
  campaigns: "by organization",
  campaign_tags: "by organization",
  ledgers: "by organization",
  event_ids: "by organization",
  recipients: "by organization",
  quarantine: "by organization",
  sources: "by organization",
  users: "by organization",
  sessions: "by organization",
  campaign_hours: "by organization",
  campaign_links: "by organization",
  timeline_changes: "by organization",
  leases: "on the coordinator",
  counters: "on SQLite only",
};

export const distributedTables = Object.entries(places)
  .filter(([, place]) => place === "by organization")
  .map(([table]) => table);

/**
 * Spreads what is not spread yet, with all of its rows; what is done already stays as it is. Writers wait meanwhile.
 *
 * @returns the names of the tables that were spread
 * @throws Refusal `conflict` where the database is no PostgreSQL with the extension
 */
export async function distribute(queries: Queries): Promise<string[]> {
  await refuseWithoutCitus(queries);
  const { rows } = await sql<{ name: string }>`
    select table_name::text as name from citus_tables where citus_table_type = 'distributed'`.execute(
    queries,
  );
  const done = new Set(rows.map(({ name }) => name));
  const tables = distributedTables.filter((table) => !done.has(table));
  if (tables.length === 0) return [];
  // One shard after the other: what follows in this transaction has to see what was done by the statement before it.
  await sql`set local citus.multi_shard_modify_mode to 'sequential'`.execute(queries);
  const keys = await takeForeignKeysOff(queries, tables);
  for (const table of tables) {
    // The rows of an organization lie together on one machine, in whichever table they are.
    await (table === "organizations"
      ? sql`select create_distributed_table('organizations', 'id')`
      : sql`select create_distributed_table(${sql.lit(table)}, 'organization_id', colocate_with => 'organizations')`
    ).execute(queries);
  }
  for (const { table, name, definition } of keys) {
    await sql`alter table ${sql.table(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(
      queries,
    );
  }
  return tables;
}

async function refuseWithoutCitus(queries: Queries): Promise<void> {
  if (!isPostgres(queries)) {
    throw new AppError("conflict", "--distribute is for PostgreSQL with the extension Citus, not for SQLite");
  }
  const { rows } = await sql`select 1 from pg_extension where extname = 'citus'`.execute(queries);
  if (rows.length > 0) return;
  throw new AppError(
    "conflict",
    "the database has no extension Citus: install it on every machine of the cluster, CREATE EXTENSION citus, and add the machines with citus_add_node; without a cluster nothing has to be distributed",
  );
}

interface ForeignKey {
  table: string;
  name: string;
  definition: string;
}

/** A table that is spread and one that is not yet cannot refer to each other. */
async function takeForeignKeysOff(queries: Queries, tables: readonly string[]): Promise<ForeignKey[]> {
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
