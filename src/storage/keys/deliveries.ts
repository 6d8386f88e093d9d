// The table `deliveries`: the latest webhook requests of each source, with what became of them.

import { randomBytes } from "node:crypto";
import type { Scope } from "../queries/scope.ts";
import type { Tables } from "../tables/tables.ts";

export type Delivery = Omit<Tables["deliveries"], "organization_id" | "source_id" | "id">;

/** The number of deliveries of each source that are kept. */
export const deliveriesKept = 100;

/** Adds deliveries of a source, and deletes all but the newest {@link deliveriesKept}. */
export async function saveDeliveries(
  scope: Scope,
  sourceId: string,
  deliveries: readonly Delivery[],
): Promise<void> {
  const rows = deliveries.map((delivery) => ({
    source_id: sourceId,
    id: randomBytes(8).toString("hex"),
    ...delivery,
  }));
  if (rows.length === 0) return;
  await scope.insert("deliveries", rows).execute();
  const oldest = await scope
    .from("deliveries")
    .select("at")
    .where("source_id", "=", sourceId)
    .orderBy("at", "desc")
    .orderBy("id")
    .offset(deliveriesKept)
    .limit(1)
    .executeTakeFirst();
  if (!oldest) return;
  // Others of the same millisecond go as well: the list is an aid, not a record.
  await scope.delete("deliveries").where("source_id", "=", sourceId).where("at", "<=", oldest.at).execute();
}

/** Returns the deliveries of a source, newest first. */
export async function listDeliveries(scope: Scope, sourceId: string): Promise<Delivery[]> {
  return scope
    .from("deliveries")
    .select(["at", "status", "reason", "accepted", "repeated", "quarantined"])
    .where("source_id", "=", sourceId)
    .orderBy("at", "desc")
    .orderBy("id")
    .limit(deliveriesKept)
    .execute();
}
