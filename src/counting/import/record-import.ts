// Records what campaigns were before an import, so that undo-import.ts can take the import out of their histories.

import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import { findHistories, saveImportedCampaigns } from "../../storage/imports/imported-campaigns.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { type Said, saidOf } from "../campaigns/corrections.ts";
import type { CampaignChange } from "../publish.ts";

/** What a history keeps of a campaign: what the imports before said, without what people set. */
export type CampaignBefore = Pick<StoredCampaign, "origin"> & Omit<Said, "tagIds">;

/** Returns the state as a history stores it, which is the same for the same content. */
export function stateOf(stored: StoredCampaign | undefined): { before: string | null; tags_before: string } {
  if (!stored) return { before: null, tags_before: "[]" };
  const { tagIds, campaign, reported } = saidOf(stored);
  const before: CampaignBefore = { campaign, reported, origin: stored.origin };
  return { before: JSON.stringify(before), tags_before: JSON.stringify(tagIds.toSorted((a, b) => a - b)) };
}

/** Adds an import to the histories of campaigns. */
export async function recordImport(
  scope: Scope,
  importId: number,
  campaigns: readonly CampaignChange[],
): Promise<void> {
  const ids = campaigns.map(({ after }) => after.campaign.id);
  const histories = await findHistories(scope, ids);
  const rows = campaigns.flatMap(({ before, after }, index) => {
    const id = ids[index] as number;
    const newest = histories.get(id)?.at(-1);
    // Nothing that could be undone has brought it, so undoing this import would change nothing.
    if (before === after && !newest) return [];
    const key = { import_id: importId, campaign_id: id };
    return { ...key, position: (newest?.position ?? 0) + 1, ...stateOf(before) };
  });
  await saveImportedCampaigns(scope, rows);
}
