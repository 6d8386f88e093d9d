// Records what campaigns were before an import, so that undo-import.ts can take the import out of their histories.

import type { Campaign } from "../../campaign/campaign.ts";
import type { ReportedMetrics } from "../../campaign/metrics.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import { findHistories, saveImportedCampaigns } from "../../storage/imports/imported-campaigns.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import type { CampaignChange } from "../publish.ts";

/** What a history keeps of a campaign, besides its tags. */
export interface CampaignBefore {
  campaign: Campaign;
  reported: ReportedMetrics;
}

/** Returns the state as a history stores it, which is the same for the same content. */
export function stateOf(stored: StoredCampaign | undefined): { before: string | null; tags_before: string } {
  if (!stored) return { before: null, tags_before: "[]" };
  const { campaign, numbers, tags } = stored;
  const reported = ("reported" in numbers ? numbers.reported : {}) as ReportedMetrics;
  const before: CampaignBefore = { campaign, reported };
  const tagIds = tags.map(({ id }) => id).sort((a, b) => a - b);
  return { before: JSON.stringify(before), tags_before: JSON.stringify(tagIds) };
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
