// The campaigns with the best and the worst open rate.

import { dayMs } from "../../campaign/calendar/durations.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import { entryAt, type SelectedPart, type Selection } from "./select.ts";
import { valuesOf } from "./sort-selection.ts";

/** A campaign that was sent later is still being opened. */
const minAgeMs = dayMs;
/** The rate of a test sending to fewer says nothing. */
const minRecipients = 10;

export interface RankedCampaign {
  id: number;
  openRate: number;
}

export interface BestAndWorst {
  best: RankedCampaign[];
  /** The worst first. Without those that are among the best. */
  worst: RankedCampaign[];
}

/**
 * The campaigns of a selection with the best and the worst open rate, sent at least a day ago to at least
 * {@link minRecipients} recipients. Of campaigns with the same rate, the newest come first.
 */
export function bestAndWorst(
  selection: Selection,
  traffic: TrafficFilter,
  { now, limit }: { now: number; limit: number },
): BestAndWorst {
  const rates = valuesOf(selection, traffic, "open_rate");
  const recipients = valuesOf(selection, traffic, "recipient_count");
  const times = timesOf(selection.parts, selection.size);
  const ranked: number[] = [];
  for (let index = selection.size - 1; index >= 0; index--) {
    const isRanked =
      !Number.isNaN(rates[index]) &&
      (recipients[index] as number) >= minRecipients &&
      (times[index] as number) <= now - minAgeMs;
    if (isRanked) ranked.push(index);
  }
  const rateOf = (index: number) => rates[index] as number;
  ranked.sort((a, b) => rateOf(b) - rateOf(a));
  const length = Math.min(limit, Math.ceil(ranked.length / 2));
  const worst = ranked.slice(length).toSorted((a, b) => rateOf(a) - rateOf(b));
  const toCampaign = (index: number) => ({ id: entryAt(selection, index).id, openRate: rateOf(index) });
  return {
    best: ranked.slice(0, length).map(toCampaign),
    worst: worst.slice(0, limit).map(toCampaign),
  };
}

function timesOf(parts: readonly SelectedPart[], size: number): Float64Array {
  const times = new Float64Array(size);
  let index = 0;
  for (const { chunk, positions } of parts) {
    for (const position of positions) times[index++] = chunk.times[position] as number;
  }
  return times;
}
