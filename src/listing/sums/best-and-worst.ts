// The campaigns that are best and worst by a number.

import { dayMs } from "../../campaign/calendar/durations.ts";
import type { RatedValue } from "./campaign-values.ts";

/** A campaign that was sent later is still being opened. */
const minAgeMs = dayMs;
/** The rate of a test sending to fewer says nothing. */
const minRecipients = 10;

/** The ids of campaigns. */
export interface BestAndWorst {
  best: number[];
  /** The worst first. Without those that are among the best. */
  worst: number[];
}

/**
 * The campaigns with the highest and the lowest values, sent at least a day ago to at least {@link minRecipients}
 * recipients. Of campaigns with the same value, the newest come first.
 *
 * @param campaigns newest first
 */
export function bestAndWorst(
  campaigns: readonly RatedValue[],
  { now, limit }: { now: number; limit: number },
): BestAndWorst {
  const ranked = campaigns.flatMap(({ id, sentAt, recipientCount, value }) =>
    value !== null && sentAt <= now - minAgeMs && (recipientCount ?? 0) >= minRecipients
      ? [{ id, value }]
      : [],
  );
  const ids = (sorted: typeof ranked) => sorted.map(({ id }) => id);
  const best = ids(ranked.toSorted((a, b) => b.value - a.value)).slice(
    0,
    Math.min(limit, Math.ceil(ranked.length / 2)),
  );
  const worst = ids(ranked.toSorted((a, b) => a.value - b.value)).filter((id) => !best.includes(id));
  return { best, worst: worst.slice(0, limit) };
}
