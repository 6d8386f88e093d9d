// Ids that were never given out before, over all organizations, so that a deleted one's never comes back as another's.

import { sql } from "kysely";
import type { Queries } from "./database.ts";
import { isPostgres } from "./dialect-differences.ts";
import type { CountersTable } from "./tables.ts";

/** On PostgreSQL: where the ids of each kind of thing come from. */
export const idSequences = {
  organizations: "organization_ids",
  api_keys: "api_key_ids",
  tags: "tag_ids",
  ledgers: "ledger_ids",
  users: "user_ids",
} as const satisfies Record<CountersTable["name"], string>;

/** From 1. An id that was taken in a transaction that is undone may be missing afterwards. */
export async function nextId(queries: Queries, name: CountersTable["name"]): Promise<number> {
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
