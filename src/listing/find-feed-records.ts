// Finds feed records. Outdated ones are rendered on the fly.

import { renderRecord } from "../campaign/email-record.ts";
import type { FeedRecord } from "../campaign/feed/feed-fields.ts";
import { toFeedRecord } from "../campaign/feed/feed-record.ts";
import { findCampaigns } from "../storage/campaigns/campaigns.ts";
import {
  type FeedSelection,
  findFeedSources,
  findSelectedFeedSources,
  type StoredFeedSource,
} from "../storage/campaigns/feed-sources.ts";
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
  const updates = new Map(entries.map(({ id, updatedAt }) => [id, updatedAt]));
  const found = await findFeedSources(queries, organization.id, entries);
  const sources = found.map((source) => ({ ...source, updatedAt: updates.get(source.id) ?? 0 }));
  const records = await toFeedRecords(queries, organization, sources);
  return new Map(records.map((record) => [record.id, record]));
}

/** About 256 KB of NDJSON. */
const recordsPerBatch = 250;

/**
 * The feed records of a selection, newest first, in batches.
 *
 * @param queries as in {@link findFeedRecords}
 * @param range.after starts with the campaign after this one
 * @param range.wanted records that the caller reads at most
 */
export async function* readFeed(
  queries: Queries,
  organization: Organization,
  selection: FeedSelection,
  { after, wanted = recordsPerBatch }: { after?: IndexEntry | undefined; wanted?: number | undefined } = {},
): AsyncGenerator<FeedRecord[]> {
  const limit = Math.min(wanted, recordsPerBatch);
  for (;;) {
    const sources = await findSelectedFeedSources(queries, organization, selection, { after, limit });
    if (sources.length > 0) yield await toFeedRecords(queries, organization, sources);
    if (sources.length < limit) return;
    after = sources.at(-1);
  }
}

async function toFeedRecords(
  queries: Queries,
  organization: Organization,
  sources: readonly (StoredFeedSource & { updatedAt: number })[],
): Promise<FeedRecord[]> {
  const outdated = sources.filter(({ renderVersion }) => renderVersion !== organization.renderVersion);
  const outdatedIds = outdated.map(({ id }) => id);
  const rendered = new Map<number, string>();
  for (const stored of await findCampaigns(queries, organization.id, outdatedIds)) {
    rendered.set(stored.campaign.id, renderRecord(stored, organization));
  }
  return sources.map((source) => {
    const record = rendered.get(source.id);
    return toFeedRecord(record === undefined ? source : { ...source, record });
  });
}
