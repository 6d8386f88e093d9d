// Index entries of campaigns: send time, id and tags, which is all that the timeline needs.

import { sql } from "kysely";
import type { Queries } from "../database.ts";
import { isAnyOf } from "../dialect-differences.ts";
import { prepare } from "../prepare.ts";

/** The position of a campaign in the order of the records. */
export interface IndexEntry {
  sentAt: number;
  id: number;
}

export interface TaggedIndexEntry extends IndexEntry {
  tagIds: number[];
}

/** A page of index entries, last sent first: those after an entry. */
export async function findIndexEntries(
  queries: Queries,
  organizationId: number,
  { after = beforeAll, limit }: { after?: IndexEntry | undefined; limit: number },
): Promise<IndexEntry[]> {
  return selectEntries(queries, [organizationId, after.sentAt, after.id, limit]);
}

/** Sent later than any campaign. */
const beforeAll: IndexEntry = { sentAt: Number.MAX_SAFE_INTEGER, id: 0 };

/** Prepared, as are the tags: loading a timeline runs both a thousand times for a million campaigns. */
const selectEntries = prepare<IndexEntry>((queries) =>
  sql<IndexEntry>`
    select id, sent_at as "sentAt" from campaigns
    where organization_id = ${0} and (sent_at, id) < (${0}, ${0}) order by sent_at desc, id desc limit ${0}`.compile(
    queries,
  ),
);

/** The number of campaigns of an organization. */
export async function countCampaigns(queries: Queries, organizationId: number): Promise<number> {
  const { count } = await queries
    .selectFrom("campaigns")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("organization_id", "=", organizationId)
    .executeTakeFirstOrThrow();
  return count;
}

/** {@link findIndexEntries} with tags. */
export async function findTaggedIndexEntries(
  queries: Queries,
  organizationId: number,
  range: { after: IndexEntry | undefined; limit: number },
): Promise<TaggedIndexEntry[]> {
  return withTags(queries, organizationId, await findIndexEntries(queries, organizationId, range));
}

/** The position of a campaign in the order of changes of the timeline. */
export interface TimelineChangeKey {
  timelineRevision: number;
  id: number;
}

/**
 * The entries of campaigns that were added, moved or retagged after another change.
 *
 * @returns in no particular order; `last` is the position of the last one
 */
export async function findIndexEntriesChangedSince(
  queries: Queries,
  organizationId: number,
  { after, limit }: { after: TimelineChangeKey; limit: number },
): Promise<{ entries: TaggedIndexEntry[]; last: TimelineChangeKey | undefined }> {
  const rows = await queries
    .selectFrom("campaigns")
    .select(["id", "sent_at as sentAt", "timeline_revision as timelineRevision"])
    .where("organization_id", "=", organizationId)
    .where(sql<boolean>`(timeline_revision, id) > (${after.timelineRevision}, ${after.id})`)
    .orderBy("timeline_revision")
    .orderBy("id")
    .limit(limit)
    .execute();
  return { entries: await withTags(queries, organizationId, rows), last: rows.at(-1) };
}

interface CampaignTag {
  campaign_id: number;
  tag_id: number;
}

async function withTags(
  queries: Queries,
  organizationId: number,
  entries: readonly IndexEntry[],
): Promise<TaggedIndexEntry[]> {
  const tagged = new Map<number, TaggedIndexEntry>();
  for (const { id, sentAt } of entries) tagged.set(id, { id, sentAt, tagIds: [] });
  for (const { campaign_id, tag_id } of await findTags(queries, organizationId, [...tagged.keys()])) {
    tagged.get(campaign_id)?.tagIds.push(tag_id);
  }
  return [...tagged.values()];
}

/** With at most this many times as many ids in their range as campaigns, reading the range is faster than each id. */
const maxRangePerId = 4;

/** The tags of campaigns, and perhaps of others. */
async function findTags(
  queries: Queries,
  organizationId: number,
  ids: readonly number[],
): Promise<CampaignTag[]> {
  if (ids.length === 0) return [];
  const [least, most] = [Math.min(...ids), Math.max(...ids)];
  if (most - least < maxRangePerId * ids.length) {
    return selectTagsOfRange(queries, [organizationId, least, most]);
  }
  return queries
    .selectFrom("campaign_tags")
    .select(["campaign_id", "tag_id"])
    .where("organization_id", "=", organizationId)
    .where(isAnyOf(queries, "campaign_id", "integer", ids))
    .execute();
}

const selectTagsOfRange = prepare<CampaignTag>((queries) =>
  sql<CampaignTag>`
    select campaign_id, tag_id from campaign_tags
    where organization_id = ${0} and campaign_id >= ${0} and campaign_id <= ${0}`.compile(queries),
);
