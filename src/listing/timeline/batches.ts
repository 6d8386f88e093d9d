// Selections of campaigns in either order, page by page or in batches.

import type { IndexEntry } from "../../storage/campaigns/index-entries.ts";
import type { Timeline, TimelineSelection } from "./timeline.ts";

/** Newest or oldest first. */
export type SortOrder = "latest" | "earliest";

/** The database reads this many rows in a few milliseconds. */
const defaultBatchSize = 250;

/** Excludes campaigns that are scheduled after `now`. */
export function excludeScheduled(selection: TimelineSelection, now: number): TimelineSelection {
  return { ...selection, sentUntil: Math.min(selection.sentUntil ?? Number.POSITIVE_INFINITY, now + 1) };
}

/** One page of a selection in an order, and the total. */
export function selectInOrder(
  timeline: Timeline,
  selection: TimelineSelection,
  { order, offset, limit }: { order: SortOrder; offset: number; limit: number },
): { entries: IndexEntry[]; total: number } {
  if (order === "latest") return timeline.select(selection, offset, limit);
  const { total } = timeline.select(selection, 0, 0);
  const left = Math.max(total - offset, 0);
  const length = Math.min(limit, left);
  return { entries: timeline.select(selection, left - length, length).entries.reverse(), total };
}

/** All entries of a selection, in batches. */
export function* selectBatches(
  timeline: Timeline,
  selection: TimelineSelection,
  order: SortOrder,
  size = defaultBatchSize,
): Generator<IndexEntry[]> {
  for (let offset = 0; ; offset += size) {
    const { entries } = selectInOrder(timeline, selection, { order, offset, limit: size });
    if (entries.length > 0) yield entries;
    if (entries.length < size) return;
  }
}
