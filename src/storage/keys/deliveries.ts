// The table `deliveries`: the latest webhook requests of each source, with what became of them.

import { randomBytes } from "node:crypto";
import type { Queries } from "../queries/database.ts";
import type { Tables } from "../tables/tables.ts";

export type Delivery = Omit<Tables["deliveries"], "organization_id" | "source_id" | "id">;

/** Per source. */
export const deliveriesKept = 100;

interface SourceKey {
  organizationId: number;
  sourceId: string;
}

/** Adds deliveries of a source, and deletes all but the newest {@link deliveriesKept}. */
export async function saveDeliveries(
  queries: Queries,
  { organizationId, sourceId }: SourceKey,
  deliveries: readonly Delivery[],
): Promise<void> {
  const key = { organization_id: organizationId, source_id: sourceId };
  const rows = deliveries.map((delivery) => ({ ...key, id: randomBytes(8).toString("hex"), ...delivery }));
  if (rows.length === 0) return;
  await queries.insertInto("deliveries").values(rows).execute();
  const oldest = await queries
    .selectFrom("deliveries")
    .select("at")
    .where("organization_id", "=", organizationId)
    .where("source_id", "=", sourceId)
    .orderBy("at", "desc")
    .orderBy("id")
    .offset(deliveriesKept)
    .limit(1)
    .executeTakeFirst();
  if (!oldest) return;
  // Others of the same millisecond go as well: the list is an aid, not a record.
  await queries
    .deleteFrom("deliveries")
    .where("organization_id", "=", organizationId)
    .where("source_id", "=", sourceId)
    .where("at", "<=", oldest.at)
    .execute();
}

/** Newest first. */
export async function listDeliveries(
  queries: Queries,
  { organizationId, sourceId }: SourceKey,
): Promise<Delivery[]> {
  return queries
    .selectFrom("deliveries")
    .select(["at", "status", "reason", "accepted", "repeated", "quarantined", "body"])
    .where("organization_id", "=", organizationId)
    .where("source_id", "=", sourceId)
    .orderBy("at", "desc")
    .orderBy("id")
    .limit(deliveriesKept)
    .execute();
}
