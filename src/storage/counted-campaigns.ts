// The table `campaigns`, as far as their numbers are counted from events.

import { sql } from "kysely";
import type { CampaignReference } from "../campaign/event.ts";
import type { Tallies } from "../campaign/tally.ts";
import { type FinishedRecord, findCampaigns, type StoredCampaign } from "./campaigns.ts";
import { chunks, type Queries } from "./database.ts";
import { givenRows } from "./differences.ts";

/** The campaigns that events name, by the name that they use; by far the most do it by number. */
export async function findCampaignsByReference(
  queries: Queries,
  organizationId: number,
  references: readonly CampaignReference[],
): Promise<Map<CampaignReference, StoredCampaign>> {
  const numbers = references.filter((reference) => typeof reference === "number");
  const names = references.filter((reference) => typeof reference === "string");
  const idsOfNames = await findIdsOfExternalIds(queries, organizationId, names);
  const ids = [...new Set([...numbers, ...idsOfNames.values()])];
  const found = await findCampaigns(queries, organizationId, ids);
  const byId = new Map(found.map((stored) => [stored.campaign.id, stored]));
  const byReference = new Map<CampaignReference, StoredCampaign>();
  for (const reference of references) {
    const stored = byId.get(typeof reference === "number" ? reference : (idsOfNames.get(reference) ?? 0));
    if (stored) byReference.set(reference, stored);
  }
  return byReference;
}

export async function findIdsOfExternalIds(
  queries: Queries,
  organizationId: number,
  externalIds: readonly string[],
): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  for (const some of chunks(externalIds)) {
    const rows = await queries
      .selectFrom("campaigns")
      .select(["id", "external_id"])
      .where("organization_id", "=", organizationId)
      .where("external_id", "in", some)
      .execute();
    for (const { id, external_id } of rows) found.set(external_id ?? "", id);
  }
  return found;
}

/** Counted campaigns that are not closed, and whose time for that has come. */
export async function findCampaignsToClose(
  queries: Queries,
  {
    organizationId,
    namedUntil,
    namelessUntil,
    limit,
  }: { organizationId: number; namedUntil: number; namelessUntil: number; limit: number },
): Promise<number[]> {
  const rows = await queries
    .selectFrom("campaigns")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("ledger_id", "is not", null)
    .where((where) => {
      const until = where
        .case()
        .when("tracking_type", "=", "Individual")
        .then(sql<number>`cast(${namedUntil} as bigint)`)
        .else(sql<number>`cast(${namelessUntil} as bigint)`)
        .end();
      return where.and([where("sent_at", "<", until), where("counted_since", "<", until)]);
    })
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** What the campaign was counted from is no longer its own. Its record stays as it is. */
export async function saveClosedCampaign(
  queries: Queries,
  organizationId: number,
  { id, tallies, closedAt }: { id: number; tallies: Tallies; closedAt: number },
): Promise<void> {
  await queries
    .updateTable("campaigns")
    .set({ tallies: JSON.stringify(tallies), ledger_id: null, closed_at: closedAt })
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .execute();
}

/** Saves the numbers of counted campaigns with their finished records. */
export async function saveTallies(
  queries: Queries,
  organizationId: number,
  campaigns: readonly (FinishedRecord & { tallies: Tallies })[],
): Promise<void> {
  const rows = campaigns.map(({ id, tallies, record, rendering }) => [id, tallies, record, rendering]);
  const given = givenRows(
    queries,
    { id: "integer", tallies: "json", record: "text", rendering: "integer" },
    rows,
  );
  await sql`
    update campaigns set tallies = given.tallies, record = given.record, rendering = given.rendering
    from ${given} where campaigns.organization_id = ${organizationId} and campaigns.id = given.id`.execute(
    queries,
  );
}
