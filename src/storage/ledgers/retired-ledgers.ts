// Retired ledgers: those of closed and deleted campaigns, whose rows are deleted in the background.

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

/** Deletes up to `rows` recipients or event ids of a retired ledger, and the ledger itself once it has none. */
export async function deleteLedgerRows(
  scope: Scope,
  { id, rows }: { id: number; rows: number },
): Promise<void> {
  const hasMore =
    (await scope.deleteFirst("recipients", { ledger_id: id }, "name", rows)) ||
    (await scope.deleteFirst("event_ids", { ledger_id: id }, "id", rows));
  if (!hasMore) await scope.deleteRows("ledgers", { id });
}
