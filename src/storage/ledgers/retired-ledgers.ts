// Retired ledgers: those of closed and deleted campaigns, whose rows are deleted in the background.

import { sql } from "kysely";
import type { Queries } from "../queries/queries.ts";
import type { Scope } from "../queries/scope.ts";

/** Deletes the secret at once, so that the ledger's hashes identify no one; its rows are deleted later. */
export async function retireLedger(scope: Scope, ledgerId: number): Promise<void> {
  await scope.updateRows("ledgers", { id: ledgerId }, { secret: null });
}

/** Any retired ledger, of any organization. */
export async function findRetiredLedger(
  queries: Queries,
): Promise<{ organizationId: number; id: number } | undefined> {
  return queries
    .selectFrom("ledgers")
    .select(["organization_id as organizationId", "id"])
    .where("secret", "is", null)
    .limit(1)
    .executeTakeFirst();
}

/**
 * Deletes up to `rows` rows of a retired ledger, and the ledger itself once it has none.
 *
 * @returns whether the ledger is deleted
 */
export async function deleteLedgerRows(
  scope: Scope,
  { id, rows }: { id: number; rows: number },
): Promise<boolean> {
  for (const [table, key] of [
    ["recipients", "name"],
    ["event_ids", "id"],
  ] as const) {
    const from = sql`from ${sql.table(table)} where organization_id = ${scope.organizationId} and ledger_id = ${id}`;
    // Deletes a range of keys: with a list of keys PostgreSQL would scan the whole ledger for each of them.
    const last = sql`select ${sql.ref(key)} ${from} order by ${sql.ref(key)} limit 1 offset ${rows - 1}`;
    const some = await sql`delete ${from} and ${sql.ref(key)} <= (${last})`.execute(scope);
    if (some.numAffectedRows) return false;
    // Fewer than `rows` are left, so there was no last key.
    const rest = await sql`delete ${from}`.execute(scope);
    if (rest.numAffectedRows) return false;
  }
  await scope.deleteRows("ledgers", { id });
  return true;
}
