// Reads the feed records of campaigns in any order that a client may ask for, in batches.

import type { FeedRecord } from "../../campaign/feed/feed-fields.ts";
import type { FilterBounds } from "../../campaign/feed/filter-bounds.ts";
import {
  countEntries,
  type FeedEntry,
  findEntriesById,
  findEntriesBySendTime,
  findEntryAt,
} from "../../storage/campaigns/feed-entries.ts";
import type { FeedSelection } from "../../storage/campaigns/feed-sources.ts";
import type { Queries } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import { listTags } from "../../storage/tags.ts";
import { findFeedRecords, readFeed } from "../find-feed-records.ts";
import { isInTableOrder, orderOf, type PositionValue, type TableQuery } from "./table-query.ts";

/** Of a snapshot. */
export interface SnapshotSource {
  queries: Queries;
  organization: Organization;
  /** Campaigns sent later do not exist yet. Milliseconds since 1970. */
  now: number;
}

type EmailsTableQuery = Pick<TableQuery, "table" | "order" | "after"> & {
  bounds: FilterBounds;
  /** Records to leave out at the start. */
  skip: number;
  /** Records that the client reads at most, if it is known. */
  wanted: number | undefined;
};

const entriesPerQuery = 5_000;
const recordsPerBatch = 250;

/** The records within the bounds of a filter. */
export async function* readEmails(
  source: SnapshotSource,
  query: EmailsTableQuery,
): AsyncGenerator<FeedRecord[]> {
  const { queries, organization } = source;
  const selection = await selectionOf(source, query.bounds);
  if (!isInTableOrder(query) || query.bounds.ranges.id) {
    yield* readSorted(source, selection, query);
    return;
  }
  const [sentAt, id] = query.after ?? [];
  const after = query.after ? { sentAt: Date.parse(String(sentAt)), id: Number(id) } : undefined;
  const { skip, wanted } = query;
  if (skip === 0) yield* readFeed(queries, organization, selection, { after, wanted });
  else {
    const last = await findEntryAt(queries, organization.id, selection, skip - 1);
    if (last) yield* readFeed(queries, organization, selection, { after: last, wanted });
  }
}

/** The number of records within the bounds of the send time. */
export async function countEmails(source: SnapshotSource, bounds: FilterBounds): Promise<number> {
  const selection = await selectionOf(source, bounds);
  return countEntries(source.queries, source.organization.id, selection);
}

async function selectionOf(
  { queries, organization, now }: SnapshotSource,
  { ranges: { sent_at }, tagName }: FilterBounds,
): Promise<FeedSelection> {
  const selection: FeedSelection = { sentUntil: Math.min(now + 1, sent_at?.until ?? now + 1) };
  if (sent_at) selection.sentFrom = sent_at.from;
  if (tagName === undefined) return selection;
  const tags = await listTags(queries, organization.id);
  return { ...selection, tagIds: tags.filter(({ name }) => name === tagName).map(({ id }) => id) };
}

/** Sorts the ids in memory, which takes 24 bytes a campaign, and reads the records by id. */
async function* readSorted(
  source: SnapshotSource,
  selection: FeedSelection,
  query: EmailsTableQuery,
): AsyncGenerator<FeedRecord[]> {
  const entries = new SortableEntries();
  for await (const some of readEntries(source, selection, query.bounds)) entries.add(some);
  for (const batch of entries.sorted(query)) {
    const records = await findFeedRecords(source.queries, source.organization, batch);
    yield batch.map(({ id }) => records.get(id)).filter((record) => record !== undefined);
  }
}

async function* readEntries(
  { queries, organization }: SnapshotSource,
  selection: FeedSelection,
  { ranges }: FilterBounds,
): AsyncGenerator<FeedEntry[]> {
  const limit = entriesPerQuery;
  const { from, until } = ranges.id ?? { from: 0, until: 0 };
  for (let last: FeedEntry | undefined; ; ) {
    const entries: FeedEntry[] = ranges.id
      ? await findEntriesById(queries, organization, selection, {
          from: last ? last.id + 1 : from,
          until,
          limit,
        })
      : await findEntriesBySendTime(queries, organization, selection, { after: last, limit });
    yield entries;
    if (entries.length < limit) return;
    last = entries.at(-1);
  }
}

/** Plain numbers by column: an object per campaign would take several times as much memory. */
class SortableEntries {
  readonly #columns: Record<string, number[]> = { id: [], sent_at: [], updated_at: [] };

  add(entries: readonly FeedEntry[]): void {
    const { id: ids, sent_at: sendTimes, updated_at: updates } = this.#columns;
    for (const { id, sentAt, updatedAt } of entries) {
      ids?.push(id);
      sendTimes?.push(sentAt);
      updates?.push(updatedAt);
    }
  }

  /** Batches of the entries after a position, without the first ones. */
  *sorted({ after, skip, wanted = recordsPerBatch, ...query }: EmailsTableQuery): Generator<FeedEntry[]> {
    const order = orderOf(query).map(([field, direction]) => ({
      column: this.#columns[field] as number[],
      sign: direction === "asc" ? 1 : -1,
    }));
    const { id = [], sent_at = [], updated_at = [] } = this.#columns;
    const last = after?.map(toNumber);
    const isAfter = (at: number) => {
      for (const [index, { column, sign }] of order.entries()) {
        const difference = ((column[at] as number) - (last?.[index] as number)) * sign;
        if (difference !== 0) return difference > 0;
      }
      return false;
    };
    const all = Uint32Array.from(id.keys());
    const positions = last ? all.filter(isAfter) : all;
    positions.sort((a, b) => {
      for (const { column, sign } of order) {
        const difference = ((column[a] as number) - (column[b] as number)) * sign;
        if (difference !== 0) return difference;
      }
      return 0;
    });
    const length = Math.min(wanted, recordsPerBatch);
    for (let start = skip; start < positions.length; start += length) {
      yield Array.from(positions.subarray(start, start + length), (at) => ({
        id: id[at] as number,
        sentAt: sent_at[at] as number,
        updatedAt: updated_at[at] as number,
      }));
    }
  }
}

const toNumber = (value: PositionValue) => (typeof value === "string" ? Date.parse(value) : value);
