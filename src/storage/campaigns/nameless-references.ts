// The table `nameless_references`: the ids and external ids of deleted campaigns whose recipients had no names.

import type { CampaignReference } from "../../campaign/events/event.ts";
import type { Queries } from "../queries/database.ts";

export async function addNamelessReferences(
  queries: Queries,
  organizationId: number,
  references: readonly CampaignReference[],
): Promise<void> {
  const rows = references.map((each) => ({
    organization_id: organizationId,
    reference: JSON.stringify(each),
  }));
  await queries
    .insertInto("nameless_references")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Whether one of the references named such a campaign. */
export async function hasNamelessReference(
  queries: Queries,
  organizationId: number,
  references: readonly CampaignReference[],
): Promise<boolean> {
  const row = await queries
    .selectFrom("nameless_references")
    .select("reference")
    .where("organization_id", "=", organizationId)
    .where(
      "reference",
      "in",
      references.map((each) => JSON.stringify(each)),
    )
    .executeTakeFirst();
  return row !== undefined;
}
