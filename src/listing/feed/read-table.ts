// Reads the rows of a feed table that a client wants, in batches.

import { compareRows, type FeedRow } from "../../campaign/feed/feed-tables.ts";
import { findBounds, isRangeOf } from "../../campaign/feed/filter-bounds.ts";
import { compileFilter, type FilterExpression } from "../../campaign/feed/row-filter.ts";
import { listTags } from "../../storage/organizations/tags.ts";
import { readDetails } from "./read-details.ts";
import { countEmails, readEmails, type SnapshotSource } from "./read-emails.ts";
import { orderOf, type TableQuery } from "./table-query.ts";

/** The rows of a query. */
export async function* readTable(
  source: SnapshotSource,
  query: TableQuery,
): AsyncGenerator<readonly FeedRow[]> {
  let left = query.top ?? Number.POSITIVE_INFINITY;
  if (left === 0) return;
  for await (const rows of readAll(source, query)) {
    if (rows.length < left) yield rows;
    else {
      yield rows.slice(0, left);
      return;
    }
    left -= rows.length;
  }
}

/** The number of rows that meet the filter, of all pages. */
export async function countFound(source: SnapshotSource, { table, filter }: TableQuery): Promise<number> {
  if (table === "emails" && !needsRecords(filter)) return countEmails(source, findBounds(filter));
  let count = 0;
  for await (const rows of readAll(source, { table, filter, order: [], skip: 0 })) count += rows.length;
  return count;
}

/** Whether records have to be read to know which ones meet a filter. */
function needsRecords(filter: FilterExpression | undefined): filter is FilterExpression {
  return filter !== undefined && !isRangeOf("sent_at", filter);
}

/** The rows of a query, but for its `top`. */
async function* readAll(source: SnapshotSource, query: TableQuery): AsyncGenerator<readonly FeedRow[]> {
  const { filter } = query;
  if (query.table === "emails" && !needsRecords(filter)) {
    yield* readEmails(source, { ...query, bounds: findBounds(filter), wanted: query.top });
    return;
  }
  const meets = filter ? compileFilter(filter) : undefined;
  let { skip } = query;
  for await (const rows of readWithinBounds(source, query)) {
    const matching = meets ? rows.filter(meets) : rows;
    const kept = skip > 0 ? matching.slice(skip) : matching;
    skip = Math.max(skip - matching.length, 0);
    if (kept.length > 0) yield kept;
  }
}

/** Rows that may not meet the filter. */
async function* readWithinBounds(
  source: SnapshotSource,
  query: TableQuery,
): AsyncGenerator<readonly FeedRow[]> {
  const { table, after } = query;
  const bounds = findBounds(query.filter);
  if (table === "emails") {
    yield* readEmails(source, { ...query, bounds, skip: 0, wanted: undefined });
    return;
  }
  const order = orderOf(query);
  const last = after && Object.fromEntries(order.map(([field], index) => [field, after[index]]));
  const compare = compareRows(order);
  const isAfter = (row: FeedRow) => last === undefined || compare(row, last) > 0;
  if (table === "tags") {
    const tags: FeedRow[] = (await listTags(source.scope)).map((tag) => ({
      ...tag,
    }));
    yield tags.sort(compare).filter(isAfter);
    return;
  }
  const { from = 0, until = Number.MAX_SAFE_INTEGER } = bounds.ranges.email_id ?? {};
  const range = { from: Math.max(from, Number(last?.email_id ?? 0)), until };
  for await (const rows of readDetails(source, table, range)) yield last ? rows.filter(isAfter) : rows;
}
