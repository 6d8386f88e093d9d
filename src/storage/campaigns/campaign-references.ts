// Finds campaigns by the references that events use: the id, or the sender's own external id.

import type { CampaignReference } from "../../campaign/events/event.ts";
import type { Scope } from "../queries/scope.ts";
import { findCampaigns } from "./campaigns.ts";
import type { StoredCampaign } from "./stored-campaign.ts";

export async function findCampaignsByReference(
  scope: Scope,
  references: readonly CampaignReference[],
): Promise<Map<CampaignReference, StoredCampaign>> {
  const numbers = references.filter((reference) => typeof reference === "number");
  const names = references.filter((reference) => typeof reference === "string");
  const idsOfNames = await findIdsOfExternalIds(scope, names);
  const ids = [...new Set([...numbers, ...idsOfNames.values()])];
  const campaigns = await findCampaigns(scope, ids);
  const byId = new Map(campaigns.map((stored) => [stored.campaign.id, stored]));
  const byReference = new Map<CampaignReference, StoredCampaign>();
  for (const reference of references) {
    const stored = byId.get(typeof reference === "number" ? reference : (idsOfNames.get(reference) ?? 0));
    if (stored) byReference.set(reference, stored);
  }
  return byReference;
}

/** Campaign ids by external id. */
export async function findIdsOfExternalIds(
  scope: Scope,
  externalIds: readonly string[],
): Promise<Map<string, number>> {
  if (externalIds.length === 0) return new Map();
  const found = scope.from("campaigns", { external_id: externalIds });
  const rows = await found.select(["id", "external_id"]).execute();
  return new Map(rows.map(({ id, external_id }) => [external_id ?? "", id]));
}
