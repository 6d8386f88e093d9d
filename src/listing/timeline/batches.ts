// Goes through the campaigns of a choice from one end, batch after batch: nobody has to hold all of them, or to wait for all.

import type { IndexEntry } from "../../storage/campaigns/index-entries.ts";
import type { Timeline, TimelineSelection } from "./timeline.ts";

/** From the latest sent on, or from the earliest on. */
export type SortOrder = "latest" | "earliest";

/** Campaigns whose rows are read at once: that takes a few milliseconds. */
const rowsAtOnce = 250;

/** Leaves out what is to be sent later than `now`: it is not there yet. */
export function excludeScheduled(choice: TimelineSelection, now: number): TimelineSelection {
  return { ...choice, sentUntil: Math.min(choice.sentUntil ?? Number.POSITIVE_INFINITY, now + 1) };
}

/** The campaigns of a choice in an order, without the first ones. */
export function selectInOrder(
  timeline: Timeline,
  choice: TimelineSelection,
  { order, offset, limit }: { order: SortOrder; offset: number; limit: number },
): { entries: IndexEntry[]; total: number } {
  if (order === "latest") return timeline.select(choice, offset, limit);
  const { total } = timeline.select(choice, 0, 0);
  const left = Math.max(total - offset, 0);
  const length = Math.min(limit, left);
  return { entries: timeline.select(choice, left - length, length).entries.reverse(), total };
}

export function* selectBatches(
  timeline: Timeline,
  choice: TimelineSelection,
  order: SortOrder,
  size = rowsAtOnce,
): Generator<IndexEntry[]> {
  for (let offset = 0; ; offset += size) {
    const { entries } = selectInOrder(timeline, choice, { order, offset, limit: size });
    if (entries.length > 0) yield entries;
    if (entries.length < size) return;
  }
}
