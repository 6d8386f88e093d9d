// Finds feed records. Outdated ones are rendered on the fly.

import { renderRecord } from "../campaign/email-record.ts";
import type { FeedRecord } from "../campaign/feed/feed-fields.ts";
import { toFeedRecord } from "../campaign/feed/feed-record.ts";
import { findCampaigns } from "../storage/campaigns/campaigns.ts";
import { findFeedSources } from "../storage/campaigns/feed-sources.ts";
import type { IndexEntry } from "../storage/campaigns/index-entries.ts";
import type { Queries } from "../storage/database.ts";
import type { Organization } from "../storage/organizations.ts";

/**
 * The feed records of campaigns, by id.
 *
 * @param queries in a snapshot that has this state of the organization
 */
export async function findFeedRecords(
  queries: Queries,
  organization: Organization,
  entries: readonly (IndexEntry & { updatedAt: number })[],
): Promise<Map<number, FeedRecord>> {
  const sources = await findFeedSources(queries, organization.id, entries);
  const outdated = sources.filter(({ renderVersion }) => renderVersion !== organization.renderVersion);
  const outdatedIds = outdated.map(({ id }) => id);
  const rendered = new Map<number, string>();
  for (const stored of await findCampaigns(queries, organization.id, outdatedIds)) {
    rendered.set(stored.campaign.id, renderRecord(stored, organization));
  }
  const updates = new Map(entries.map(({ id, updatedAt }) => [id, updatedAt]));
  return new Map(
    sources.map((source) => {
      const record = rendered.get(source.id) ?? source.record;
      return [source.id, toFeedRecord({ ...source, record, updatedAt: updates.get(source.id) ?? 0 })];
    }),
  );
}
