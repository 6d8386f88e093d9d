// Ages of a campaign: how long ago it was sent when a recipient first opened or clicked it. Counted in spans, so that a
// campaign can be compared with others at the same age.

import { dayMs, hourMs, minuteMs } from "../calendar/durations.ts";

/** Ages in milliseconds at which a campaign can be compared, in order. Each span ends at one of them; the last span never. */
export const ages = [
  ...[15 * minuteMs, 30 * minuteMs],
  ...[1, 2, 3, 4, 6, 8, 12, 18, 24, 36, 48, 72, 96, 120].map((hours) => hours * hourMs),
  ...[7, 14, 30].map((days) => days * dayMs),
] as const;

/** The ages at which records have the numbers of a campaign, by the suffix of their fields. */
export const recordedAges = { "24h": 24 * hourMs, "72h": 72 * hourMs, "7d": 7 * dayMs } as const;

export const spanCount = ages.length + 1;

/** The index of the span of an age. An event exactly at an age, or before the campaign was sent, is within it. */
export function spanOf(age: number): number {
  const span = ages.findIndex((end) => age <= end);
  return span === -1 ? ages.length : span;
}

/** How many came up to an age, which is one of {@link ages}. */
export function countUpTo(spans: readonly number[], age: number): number {
  return spans.slice(0, spanOf(age) + 1).reduce((sum, count) => sum + count, 0);
}
