// Index entries of campaigns: send time, id and tags, which is all that the timeline needs.

import { type RawBuilder, sql } from "kysely";
import type { Queries } from "../database.ts";
import { isAnyOf, jsonColumn } from "../dialect-differences.ts";
import { prepare } from "../prepare.ts";

/** The position of a campaign in the order of the records. */
export interface IndexEntry {
  sentAt: number;
  id: number;
}

export interface TaggedIndexEntry extends IndexEntry {
  tagIds: number[];
}

/** Tagged index entries as columns. A million of them are read in half the time of as many objects. */
export interface TaggedIndexColumns {
  ids: number[];
  sentAts: number[];
  /** Tags of the campaigns, and perhaps of others, in no particular order: `taggedIds[n]` has the tag `tagIds[n]`. */
  taggedIds: number[];
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

/** The parameters are the organization, the send time and id of the entry before, and the limit. */
const pageOfEntries = sql<IndexEntry>`
  select id, sent_at as "sentAt" from campaigns
  where organization_id = ${0} and (sent_at, id) < (${0}, ${0}) order by sent_at desc, id desc limit ${0}`;

const selectEntries = prepare<IndexEntry>((queries) => pageOfEntries.compile(queries));

/** Prepared, as are the tags: loading a timeline runs both a thousand times for a million campaigns. */
const selectEntryColumns = prepare<JsonColumns<"ids" | "sentAts">>((queries) => {
  const order = sql`"sentAt" desc, id desc`;
  return sql<JsonColumns<"ids" | "sentAts">>`
    select ${jsonColumn(queries, "id", order)} as ids, ${jsonColumn(queries, "sentAt", order)} as "sentAts"
    from (${pageOfEntries}) as entries`.compile(queries);
});

/** JSON arrays of numbers. */
type JsonColumns<Name extends string> = Record<Name, string>;

function parseColumn(json: string | undefined): number[] {
  return json === undefined ? [] : JSON.parse(json);
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

/** {@link findIndexEntries} with tags, in columns. */
export async function findTaggedIndexColumns(
  queries: Queries,
  organizationId: number,
  { after = beforeAll, limit }: { after?: IndexEntry | undefined; limit: number },
): Promise<TaggedIndexColumns> {
  const [row] = await selectEntryColumns(queries, [organizationId, after.sentAt, after.id, limit]);
  const ids = parseColumn(row?.ids);
  return { ids, sentAts: parseColumn(row?.sentAts), ...(await findTags(queries, organizationId, ids)) };
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

type TagColumns = Pick<TaggedIndexColumns, "taggedIds" | "tagIds">;

async function withTags(
  queries: Queries,
  organizationId: number,
  entries: readonly IndexEntry[],
): Promise<TaggedIndexEntry[]> {
  const tagged = new Map<number, TaggedIndexEntry>();
  for (const { id, sentAt } of entries) tagged.set(id, { id, sentAt, tagIds: [] });
  const { taggedIds, tagIds } = await findTags(queries, organizationId, [...tagged.keys()]);
  for (const [index, id] of taggedIds.entries()) tagged.get(id)?.tagIds.push(tagIds[index] as number);
  return [...tagged.values()];
}

/** With at most this many times as many ids in their range as campaigns, reading the range is faster than each id. */
const maxRangePerId = 4;

/** The tags of campaigns, and perhaps of others. */
async function findTags(
  queries: Queries,
  organizationId: number,
  ids: readonly number[],
): Promise<TagColumns> {
  if (ids.length === 0) return { taggedIds: [], tagIds: [] };
  const [least, most] = [Math.min(...ids), Math.max(...ids)];
  const isDense = most - least < maxRangePerId * ids.length;
  const [row] = isDense
    ? await selectTagsOfRange(queries, [organizationId, least, most])
    : await selectTagsOfEach(queries, organizationId, ids);
  return { taggedIds: parseColumn(row?.taggedIds), tagIds: parseColumn(row?.tagIds) };
}

const selectTagsOfRange = prepare<JsonColumns<keyof TagColumns>>((queries) =>
  tagColumns(queries, 0, sql`campaign_id >= ${0} and campaign_id <= ${0}`).compile(queries),
);

async function selectTagsOfEach(queries: Queries, organizationId: number, ids: readonly number[]) {
  const condition = isAnyOf(queries, "campaign_id", "integer", ids);
  return (await tagColumns(queries, organizationId, condition).execute(queries)).rows;
}

function tagColumns(
  queries: Queries,
  organizationId: number,
  condition: RawBuilder<unknown>,
): RawBuilder<JsonColumns<keyof TagColumns>> {
  const order = sql`campaign_id, tag_id`;
  return sql`
    select ${jsonColumn(queries, "campaign_id", order)} as "taggedIds", ${jsonColumn(queries, "tag_id", order)} as "tagIds"
    from campaign_tags where organization_id = ${organizationId} and ${condition}`;
}
