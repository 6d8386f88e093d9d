// Which rows of a feed table a client wants, in which order.

import { type FeedOrder, type FeedTableName, feedTables } from "../../campaign/feed/feed-tables.ts";
import type { FilterExpression } from "../../campaign/feed/row-filter.ts";

/** Plain data, so that it can be sent to a thread. */
export interface TableQuery {
  table: FeedTableName;
  filter?: FilterExpression | undefined;
  /** The fields to sort by before those of the table. */
  order: readonly FeedOrder[];
  /** Rows to leave out at the start. */
  skip: number;
  /** Rows to return at most. */
  top?: number | undefined;
  /** The values of the last row that the client has, in the fields of {@link orderOf}. */
  after?: readonly PositionValue[] | undefined;
}

/** An instant is ISO-8601 in UTC, as in the row. */
export type PositionValue = string | number | null;

/** The whole order, which no two rows share. */
export function orderOf({ table, order }: Pick<TableQuery, "table" | "order">): readonly FeedOrder[] {
  const first = new Set(order.map(([field]) => field));
  return [...order, ...feedTables[table].order.filter(([field]) => !first.has(field))];
}

/** Whether the rows come in the order in which the table is read. */
export function isInTableOrder(query: Pick<TableQuery, "table" | "order">): boolean {
  const order = JSON.stringify(orderOf(query));
  return order === JSON.stringify(feedTables[query.table].order);
}
