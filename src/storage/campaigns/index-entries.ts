// Index entries of campaigns: send time, id and tags, which is all that the timeline needs.

import { sql } from "kysely";
import type { Queries } from "../database.ts";
import { isAnyOf } from "../dialect-differences.ts";

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
  { after, limit }: { after: IndexEntry | undefined; limit: number },
): Promise<IndexEntry[]> {
  let entries = queries
    .selectFrom("campaigns")
    .select(["id", "sent_at as sentAt"])
    .where("organization_id", "=", organizationId);
  if (after) {
    entries = entries.where(sql<boolean>`(sent_at, id) < (${after.sentAt}, ${after.id})`);
  }
  return entries.orderBy("sent_at", "desc").orderBy("id", "desc").limit(limit).execute();
}

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

/** The entries of campaigns that were added, moved or retagged after a timeline revision, in no particular order. */
export async function findIndexEntriesChangedSince(
  queries: Queries,
  organizationId: number,
  { timelineRevision, limit }: { timelineRevision: number; limit: number },
): Promise<TaggedIndexEntry[]> {
  const entries = await queries
    .selectFrom("campaigns")
    .select(["id", "sent_at as sentAt"])
    .where("organization_id", "=", organizationId)
    .where("timeline_revision", ">", timelineRevision)
    .orderBy("timeline_revision")
    .orderBy("id")
    .limit(limit)
    .execute();
  return withTags(queries, organizationId, entries);
}

async function withTags(
  queries: Queries,
  organizationId: number,
  entries: readonly IndexEntry[],
): Promise<TaggedIndexEntry[]> {
  const tagged = new Map(entries.map((entry) => [entry.id, { ...entry, tagIds: [] as number[] }]));
  const rows =
    entries.length === 0
      ? []
      : await queries
          .selectFrom("campaign_tags")
          .select(["campaign_id", "tag_id"])
          .where("organization_id", "=", organizationId)
          .where(isAnyOf(queries, "campaign_id", "integer", [...tagged.keys()]))
          .execute();
  for (const { campaign_id, tag_id } of rows) tagged.get(campaign_id)?.tagIds.push(tag_id);
  return [...tagged.values()];
}
