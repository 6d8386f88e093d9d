// Generates ids that are unique over all organizations and are never reused, not even after a deletion.

import { sql } from "kysely";
import type { Tables } from "../tables/tables.ts";
import { isPostgres } from "./dialect-differences.ts";
import type { Queries } from "./queries.ts";

/** The PostgreSQL sequence of each kind of id. */
export const idSequences = {
  organizations: "organization_ids",
  api_keys: "api_key_ids",
  tags: "tag_ids",
  ledgers: "ledger_ids",
  users: "user_ids",
  audit_log: "audit_log_ids",
  audience_groups: "audience_group_ids",
} as const satisfies Record<Tables["counters"]["name"], string>;

/** The next id, from 1. A rolled-back transaction may leave a gap. */
export async function nextId(queries: Queries, name: Tables["counters"]["name"]): Promise<number> {
  if (isPostgres(queries)) {
    const { rows } = await sql<{ id: number }>`select nextval(${idSequences[name]}) as id`.execute(queries);
    return rows[0]?.id as number;
  }
  const { value } = await queries
    .insertInto("counters")
    .values({ name, value: 1 })
    .onConflict((conflict) =>
      conflict.column("name").doUpdateSet((set) => ({ value: set("counters.value", "+", 1) })),
    )
    .returning("value")
    .executeTakeFirstOrThrow();
  return value;
}
