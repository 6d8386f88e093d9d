// Goes through the campaigns of a choice from one end, batch after batch: nobody has to hold all of them, or to wait for all.

import type { IndexEntry } from "../../storage/campaigns/index-entries.ts";
import type { Choice, Timeline } from "./timeline.ts";

/** From the latest sent on, or from the earliest on. */
export type Order = "latest" | "earliest";

/** Campaigns whose rows are read at once: that takes a few milliseconds. */
const rowsAtOnce = 250;

/** Leaves out what is to be sent later than `now`: it is not there yet. */
export function sentBy(choice: Choice, now: number): Choice {
  return { ...choice, sentUntil: Math.min(choice.sentUntil ?? Number.POSITIVE_INFINITY, now + 1) };
}

/** The campaigns of a choice in an order, without the first ones. */
export function placesFrom(
  timeline: Timeline,
  choice: Choice,
  { order, offset, limit }: { order: Order; offset: number; limit: number },
): { places: IndexEntry[]; total: number } {
  if (order === "latest") return timeline.choose(choice, offset, limit);
  const { total } = timeline.choose(choice, 0, 0);
  const left = Math.max(total - offset, 0);
  const length = Math.min(limit, left);
  return { places: timeline.choose(choice, left - length, length).places.reverse(), total };
}

export function* batchesOf(
  timeline: Timeline,
  choice: Choice,
  order: Order,
  size = rowsAtOnce,
): Generator<IndexEntry[]> {
  for (let offset = 0; ; offset += size) {
    const { places } = placesFrom(timeline, choice, { order, offset, limit: size });
    if (places.length > 0) yield places;
    if (places.length < size) return;
  }
}
