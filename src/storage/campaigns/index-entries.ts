// The table `campaigns`, as far as the order of the records goes: when each was sent, its id, and which tags it carries.

import { sql } from "kysely";
import type { Queries } from "../database.ts";
import { isAnyOf } from "../dialect-differences.ts";

/** Where a campaign stands in the order of the records. */
export interface IndexEntry {
  sentAt: number;
  id: number;
}

export interface TaggedIndexEntry extends IndexEntry {
  tagIds: number[];
}

/** Places from the latest sent on, after one of them: for reading all of them. */
export async function findIndexEntries(
  queries: Queries,
  organizationId: number,
  { after, limit }: { after: IndexEntry | undefined; limit: number },
): Promise<IndexEntry[]> {
  let places = queries
    .selectFrom("campaigns")
    .select(["id", "sent_at as sentAt"])
    .where("organization_id", "=", organizationId);
  if (after) {
    places = places.where(sql<boolean>`(sent_at, id) < (${after.sentAt}, ${after.id})`);
  }
  return places.orderBy("sent_at", "desc").orderBy("id", "desc").limit(limit).execute();
}

/** The same with tags. */
export async function findTaggedIndexEntries(
  queries: Queries,
  organizationId: number,
  range: { after: IndexEntry | undefined; limit: number },
): Promise<TaggedIndexEntry[]> {
  return withTags(queries, organizationId, await findIndexEntries(queries, organizationId, range));
}

/** Places of campaigns that came, or whose place or tags changed, after a timeline revision; in no particular order. */
export async function findIndexEntriesChangedSince(
  queries: Queries,
  organizationId: number,
  { timelineRevision, limit }: { timelineRevision: number; limit: number },
): Promise<TaggedIndexEntry[]> {
  const places = await queries
    .selectFrom("campaigns")
    .select(["id", "sent_at as sentAt"])
    .where("organization_id", "=", organizationId)
    .where("timeline_revision", ">", timelineRevision)
    .orderBy("timeline_revision")
    .orderBy("id")
    .limit(limit)
    .execute();
  return withTags(queries, organizationId, places);
}

async function withTags(
  queries: Queries,
  organizationId: number,
  places: readonly IndexEntry[],
): Promise<TaggedIndexEntry[]> {
  const tagged = new Map(places.map((place) => [place.id, { ...place, tagIds: [] as number[] }]));
  const rows =
    places.length === 0
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
