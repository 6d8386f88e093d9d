// Rates over several campaigns, derived from their sums.

import type { Sums } from "./sums.ts";

/** From 0 to 1, weighted by recipients; null without recipients. */
export function openRateOf({ opens, openRecipients }: Sums): number | null {
  return openRecipients > 0 ? opens / openRecipients : null;
}

/** From 0 to 1, weighted by recipients; null without recipients. */
export function clickRateOf({ clicks, clickRecipients }: Sums): number | null {
  return clickRecipients > 0 ? clicks / clickRecipients : null;
}

/** The share of each sum in their total, from 0 to 1; null if all are 0. */
export function sharesOf<Name extends keyof Sums>(
  sums: Sums,
  parts: readonly Name[],
): Record<Name, number | null> {
  const total = parts.reduce((sum, name) => sum + sums[name], 0);
  const shares = parts.map((name) => [name, total > 0 ? sums[name] / total : null]);
  return Object.fromEntries(shares) as Record<Name, number | null>;
}

/** The mean eNPS score, from 0 to 10; null without scores. */
export function enpsMeanOf({ ratings, scores }: Sums): number | null {
  return ratings > 0 ? scores / ratings : null;
}

/**
 * The eNPS: the percentage of promoters minus that of detractors, from -100 to 100; null without scores of counted
 * campaigns. Records do not have it.
 */
export function enpsIndexOf({ promoters, detractors, indexed }: Sums): number | null {
  return indexed > 0 ? (100 * (promoters - detractors)) / indexed : null;
}
