// The table `nameless_references`: the ids and external ids of deleted campaigns whose recipients had no names.

import type { CampaignReference } from "../../campaign/events/event.ts";
import type { Scope } from "../queries/scope.ts";

export async function addNamelessReferences(
  scope: Scope,
  references: readonly CampaignReference[],
): Promise<void> {
  const rows = references.map((each) => ({ reference: JSON.stringify(each) }));
  await scope
    .insert("nameless_references", rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Whether one of the references named such a campaign. */
export async function hasNamelessReference(
  scope: Scope,
  references: readonly CampaignReference[],
): Promise<boolean> {
  const row = await scope
    .from("nameless_references")
    .select("reference")
    .where(
      "reference",
      "in",
      references.map((each) => JSON.stringify(each)),
    )
    .executeTakeFirst();
  return row !== undefined;
}
