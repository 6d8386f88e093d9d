// The campaigns that pages show: as they are stored, without the survey results that are withheld.

import { releaseAnswers } from "../campaign/release-answers.ts";
import { findCampaigns } from "../storage/campaigns/campaigns.ts";
import type { StoredCampaign } from "../storage/campaigns/stored-campaign.ts";
import type { Organization } from "../storage/organizations/organizations.ts";
import type { Database } from "../storage/queries/database.ts";
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

/** Campaigns per query: writing their lines takes a few milliseconds. */
const batchSize = 250;

/**
 * Reads the campaigns of a file in this order, in batches.
 *
 * @throws the signal's reason when it aborts
 */
export async function* readReleased(
  database: Database,
  organization: Organization,
  ids: readonly number[],
  signal?: AbortSignal,
): AsyncGenerator<StoredCampaign[]> {
  for (let from = 0; from < ids.length; from += batchSize) {
    signal?.throwIfAborted();
    const batch = ids.slice(from, from + batchSize);
    const found = await database.queryOf(organization.id, (scope) =>
      findReleased(scope, organization, batch),
    );
    yield inOrder(found, batch);
  }
}
