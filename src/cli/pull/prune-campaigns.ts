// Deletes campaigns that the hosted service no longer has.

import { removeCampaign } from "../../counting/campaigns/remove-campaign.ts";
import { readAllCampaigns } from "../../storage/campaigns/campaigns.ts";
import type { Queries } from "../../storage/database.ts";

/**
 * Deletes reported campaigns; counted ones were never pulled.
 *
 * @param options.has whether the hosted service has a campaign
 * @param options.sentBefore the end of the pull, in milliseconds since 1970; later campaigns are kept
 * @returns how many were deleted
 */
export async function pruneCampaigns(
  queries: Queries,
  organizationId: number,
  { has, sentBefore, now }: { has: (id: number) => boolean; sentBefore: number; now: number },
): Promise<number> {
  const gone: number[] = [];
  for await (const { campaign, counting } of readAllCampaigns(queries, organizationId)) {
    if (counting === null && campaign.sentAt <= sentBefore && !has(campaign.id)) gone.push(campaign.id);
  }
  for (const id of gone) await removeCampaign(queries, organizationId, id, now);
  return gone.length;
}
