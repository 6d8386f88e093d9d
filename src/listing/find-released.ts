// The campaigns that pages show: as they are stored, without the survey results that are withheld.

import { releaseAnswers } from "../campaign/release-answers.ts";
import { findCampaigns } from "../storage/campaigns/campaigns.ts";
import type { StoredCampaign } from "../storage/campaigns/stored-campaign.ts";
import type { Organization } from "../storage/organizations/organizations.ts";
import type { Scope } from "../storage/queries/scope.ts";

/** Returns the campaigns as pages may show them, unordered. Never save them. */
export async function findReleased(
  scope: Scope,
  { minAnswers, persons }: Pick<Organization, "id" | "minAnswers" | "persons">,
  ids: readonly number[],
): Promise<StoredCampaign[]> {
  const campaigns = await findCampaigns(scope, ids);
  return campaigns.map((stored) =>
    releaseAnswers(persons === "allow" ? stored : withoutNames(stored), minAnswers),
  );
}

/** Returns the campaign as it is once upkeep has removed the names. */
function withoutNames(stored: StoredCampaign): StoredCampaign {
  const { campaign, counting } = stored;
  if (!counting?.ledgerId || campaign.trackingType !== "Individual") return stored;
  return { ...stored, campaign: { ...campaign, trackingType: "Anonymous" } };
}

/** Returns the campaigns in the order of the ids, without those that were deleted meanwhile. */
export function inOrder(found: readonly StoredCampaign[], ids: readonly number[]): StoredCampaign[] {
  const byId = new Map(found.map((stored) => [stored.campaign.id, stored]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}
