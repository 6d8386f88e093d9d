// Reads the feed records of campaigns in any order that a client may ask for, in batches.

import type { FeedField, FeedRecord } from "../../campaign/feed/feed-fields.ts";
import { feedFields } from "../../campaign/feed/feed-fields.ts";
import type { FilterBounds } from "../../campaign/feed/filter-bounds.ts";
import { toFeedRecord } from "../../campaign/feed/typed-record.ts";
import {
  countEmails as countSelected,
  type EmailSelection,
  findSortedIds,
  findTypedRecords,
} from "../../storage/campaigns/emails.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import { listTags } from "../../storage/organizations/tags.ts";
import { chunks } from "../../storage/queries/database.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { readFeed, recordsPerBatch } from "./read-feed.ts";
import { isInTableOrder, orderOf, type PositionValue, type TableQuery } from "./table-query.ts";

/** The organization and the queries of one snapshot. */
export interface SnapshotSource {
  scope: Scope;
  organization: Organization;
}

type EmailsTableQuery = Pick<TableQuery, "table" | "order" | "after"> & {
  bounds: FilterBounds;
  /** Records to leave out at the start. */
  skip: number;
  /** Records that the client reads at most, if it is known. */
  wanted: number | undefined;
};

/** The records within the bounds of a filter. */
export async function* readEmails(
  source: SnapshotSource,
  query: EmailsTableQuery,
): AsyncGenerator<FeedRecord[]> {
  const { scope } = source;
  const { bounds, after, skip, wanted } = query;
  const selection = await selectionOf(source, bounds);
  if (isInTableOrder(query) && !bounds.ranges.id && skip === 0) {
    const [sentAt, id] = after ?? [];
    const last = after && { sentAt: Date.parse(String(sentAt)), id: Number(id) };
    yield* readFeed(scope, selection, { after: last, limit: wanted });
    return;
  }
  const order = orderOf(query).map(([field, direction], index) => ({
    field: field as FeedField,
    direction,
    after: after && toStored(field as FeedField, after[index] as PositionValue),
  }));
  const ids = await findSortedIds(scope, {
    ...selection,
    ids: bounds.ranges.id,
    order,
    skip,
    limit: wanted,
  });
  for (const batch of chunks(ids, recordsPerBatch)) {
    const records = await findTypedRecords(scope, batch);
    yield batch.map((id) => records.get(id)).flatMap((record) => (record ? [toFeedRecord(record)] : []));
  }
}

/** The number of records within the bounds of the send time. */
export async function countEmails(source: SnapshotSource, bounds: FilterBounds): Promise<number> {
  const selection = await selectionOf(source, bounds);
  return countSelected(source.scope, selection);
}

async function selectionOf(
  { scope }: SnapshotSource,
  { ranges: { sent_at }, tagName }: FilterBounds,
): Promise<EmailSelection> {
  const selection: EmailSelection = { sentFrom: sent_at?.from, sentUntil: sent_at?.until };
  if (tagName === undefined) return selection;
  const tags = await listTags(scope);
  return { ...selection, tagIds: tags.filter(({ name }) => name === tagName).map(({ id }) => id) };
}

/** A value of a row as it is stored. */
function toStored(field: FeedField, value: PositionValue): PositionValue {
  return feedFields[field].type === "instant" && value !== null ? Date.parse(String(value)) : value;
}
