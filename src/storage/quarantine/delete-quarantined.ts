// Deletes quarantined events: by filter, by hash, or because they expired.

import type { Queries } from "../queries/queries.ts";
import type { Scope } from "../queries/scope.ts";
import { type QuarantineFilter, selectQuarantined } from "./quarantine-filter.ts";

/**
 * Returns how many events were deleted.
 *
 * @param limit no more than that, so that other writers do not wait for long; by default there is none
 */
export async function deleteQuarantined(
  scope: Scope,
  filter: QuarantineFilter,
  limit?: number,
): Promise<number> {
  const matching = selectQuarantined(scope, filter).select("event_hash");
  const { numDeletedRows } = await scope
    .delete("quarantine")
    .where("event_hash", "in", limit === undefined ? matching : matching.limit(limit))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

export async function deleteQuarantinedEvents(scope: Scope, eventHashes: readonly string[]): Promise<void> {
  if (eventHashes.length > 0) await scope.deleteRows("quarantine", { event_hash: eventHashes });
}

/** Organizations with events that arrived before a time. */
export async function findOrganizationsWithExpired(
  queries: Queries,
  receivedBefore: number,
): Promise<number[]> {
  const rows = await queries
    .selectFrom("quarantine")
    .select("organization_id")
    .distinct()
    .where("received_at", "<", receivedBefore)
    .execute();
  return rows.map(({ organization_id }) => organization_id);
}
