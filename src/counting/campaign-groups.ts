// What campaigns count by group, and which groups readers see.

import type { CountedGroups } from "../campaign/audience/group-counts.ts";
import { releaseGroups } from "../campaign/audience/release-groups.ts";
import { minRatingsOf } from "../campaign/release-answers.ts";
import {
  addToCampaignGroups,
  deleteCampaignGroups,
  findCampaignGroups,
  saveReleases,
} from "../storage/audience/campaign-groups.ts";
import { addToOverlaps, findOverlaps } from "../storage/audience/campaign-overlaps.ts";
import type { StoredCampaign } from "../storage/campaigns/stored-campaign.ts";
import type { Queries } from "../storage/database.ts";
import type { Organization } from "../storage/organizations.ts";

/** Saves the decisions that changed. */
export async function saveGroupReleases(
  queries: Queries,
  { id: organizationId, minGroup, minAnswers }: Organization,
  campaigns: readonly Pick<StoredCampaign, "campaign">[],
): Promise<void> {
  if (campaigns.length === 0) return;
  const ids = campaigns.map(({ campaign }) => campaign.id);
  const found = Map.groupBy(
    await findCampaignGroups(queries, organizationId, ids),
    ({ campaignId }) => campaignId,
  );
  const overlaps = Map.groupBy(
    await findOverlaps(queries, organizationId, ids),
    ({ campaignId }) => campaignId,
  );
  const changed = campaigns.flatMap(({ campaign }) => {
    const groups = found.get(campaign.id) ?? [];
    const limits = { minGroup, minRatings: minRatingsOf(campaign, minAnswers) };
    const released = releaseGroups(groups, overlaps.get(campaign.id) ?? [], limits);
    return groups.flatMap(({ campaignId, groupId, ...before }) => {
      const after = released.get(groupId);
      if (!after) return [];
      const isSame =
        after.isReleased === before.isReleased && after.areRatingsReleased === before.areRatingsReleased;
      return isSame ? [] : [{ campaignId, groupId, ...after }];
    });
  });
  await saveReleases(queries, organizationId, changed);
}

/** Replaces what a campaign counts by group, and decides again which groups readers see. */
export async function replaceCampaignGroups(
  queries: Queries,
  organization: Organization,
  stored: Pick<StoredCampaign, "campaign">,
  { groups, overlaps }: CountedGroups,
): Promise<void> {
  const { id: campaignId } = stored.campaign;
  await deleteCampaignGroups(queries, organization.id, campaignId);
  const rows = [...groups].map(([groupId, group]) => ({ campaignId, groupId, ...group }));
  await addToCampaignGroups(queries, organization.id, rows);
  await addToOverlaps(queries, organization.id, new Map([[campaignId, overlaps]]));
  await saveGroupReleases(queries, organization, [stored]);
}
