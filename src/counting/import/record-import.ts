// Records what campaigns were before an import, so that undo-import.ts can take the import out of their histories.

import type { Campaign } from "../../campaign/campaign.ts";
import type { ReportedMetrics } from "../../campaign/metrics.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import type { Queries } from "../../storage/database.ts";
import { addImportedCampaigns, findHistories } from "../../storage/imports/imported-campaigns.ts";
import type { SavedCampaigns } from "../campaigns/save-reported-campaigns.ts";

/** What a history keeps of a campaign, besides its tags. */
export interface CampaignBefore {
  campaign: Campaign;
  reported: ReportedMetrics;
}

/** As {@link addImportedCampaigns} takes it: the same for the same content. */
export function stateOf(stored: StoredCampaign | undefined): { before: string | null; tagsBefore: string } {
  if (!stored) return { before: null, tagsBefore: "[]" };
  const { campaign, numbers, tags } = stored;
  const reported = ("reported" in numbers ? numbers.reported : {}) as ReportedMetrics;
  const before: CampaignBefore = { campaign, reported };
  const tagIds = tags.map(({ id }) => id).sort((a, b) => a - b);
  return { before: JSON.stringify(before), tagsBefore: JSON.stringify(tagIds) };
}

/** Adds an import to the histories of campaigns. */
export async function recordImport(
  queries: Queries,
  organizationId: number,
  importId: number,
  { changed, unchanged }: SavedCampaigns,
): Promise<void> {
  const ids = [...changed.map(({ after }) => after), ...unchanged].map(({ campaign }) => campaign.id);
  const histories = await findHistories(queries, organizationId, ids);
  const row = (campaignId: number, before: StoredCampaign | undefined) => {
    const position = (histories.get(campaignId)?.at(-1)?.position ?? 0) + 1;
    return { importId, campaignId, position, ...stateOf(before) };
  };
  await addImportedCampaigns(queries, organizationId, [
    ...changed.map(({ before, after }) => row(after.campaign.id, before)),
    // Without a history, nothing that could be undone has brought it, so it stays as it is anyway.
    ...unchanged.flatMap((each) => (histories.has(each.campaign.id) ? row(each.campaign.id, each) : [])),
  ]);
}
