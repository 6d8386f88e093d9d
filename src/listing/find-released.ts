// The campaigns that pages show: as they are stored, without the survey results that are withheld.

import { releaseAnswers } from "../campaign/release-answers.ts";
import { findCampaigns } from "../storage/campaigns/campaigns.ts";
import type { StoredCampaign } from "../storage/campaigns/stored-campaign.ts";
import type { Organization } from "../storage/organizations/organizations.ts";
import { chunks, type Database } from "../storage/queries/database.ts";
import type { Scope } from "../storage/queries/scope.ts";
import { findNewestIds } from "../storage/sums/sum-queries.ts";
import type { SumsFilter } from "../storage/sums/sums-filter.ts";

/** Returns the campaigns as pages may show them, in the order of the ids, without deleted ones. Never save them. */
export async function findReleased(
  scope: Scope,
  { minAnswers, persons }: Pick<Organization, "id" | "minAnswers" | "persons">,
  ids: readonly number[],
): Promise<StoredCampaign[]> {
  return (await findCampaigns(scope, ids)).map((stored) =>
    releaseAnswers(persons === "allow" ? stored : withoutNames(stored), minAnswers),
  );
}

/** Returns the newest campaigns that match, newest first. */
export async function findNewest(
  scope: Scope,
  organization: Organization,
  filter: SumsFilter,
  limit: number,
): Promise<StoredCampaign[]> {
  return findReleased(scope, organization, await findNewestIds(scope, filter, limit));
}

/** Returns the campaign as it is once upkeep has removed the names. */
function withoutNames(stored: StoredCampaign): StoredCampaign {
  const { campaign, counting } = stored;
  if (!counting?.ledgerId || campaign.trackingType !== "Individual") return stored;
  return { ...stored, campaign: { ...campaign, trackingType: "Anonymous" } };
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
  for (const batch of chunks(ids, batchSize)) {
    signal?.throwIfAborted();
    yield await database.queryOf(organization.id, (scope) => findReleased(scope, organization, batch));
  }
}
