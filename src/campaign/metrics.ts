// Metrics: the numbers of a campaign in its public record, and how they are derived from a tally.

import { type DeliveryCounts, deliveryCountsOf } from "./delivery/delivery-counts.ts";
import type { Counts, Tallies } from "./events/tally.ts";
import type { TrafficFilter } from "./events/traffic.ts";

export const metricNames = [
  "open_rate",
  "click_rate",
  "unique_opens",
  "multiple_opens",
  "unopened",
  "total_opens",
  "unique_clicks",
  "multiple_clicks",
  "total_clicks",
  "click_per_unique_open_rate",
  "desktop_open_rate",
  "mobile_open_rate",
  "read_time_glanced",
  "read_time_skimmed",
  "read_time_read",
  "enps_score_average",
  "enps_reactions_count",
  "enps_comments_count",
  "survey_reactions_count",
  "survey_reactions_comments_count",
] as const;

export type MetricName = (typeof metricNames)[number];

/** The metrics of a reported campaign, exactly as given: none is derived from another. `null` if not given. */
export type ReportedMetrics = Record<MetricName, number | null> & Partial<DeliveryCounts>;

/** The metrics of a counted campaign. */
type Metrics = Record<MetricName, number>;

/** The source of a campaign's metrics. */
export type Numbers = ({ reported: ReportedMetrics } | { tallies: Tallies }) & WithheldResults;

/** What `releaseAnswers` withheld. */
export interface WithheldResults {
  /** Set if the numbers lack eNPS results, because the ratings are fewer. */
  withheldBelow?: number;
}

/** The metrics that a record shows, for the traffic that the organization counts. */
export function metricsOf(
  numbers: Numbers,
  recipientCount: number | null,
  traffic: TrafficFilter,
): ReportedMetrics {
  if ("reported" in numbers) return numbers.reported;
  const tally = numbers.tallies[traffic];
  const metrics = {
    ...deriveMetrics(tally, recipientCount ?? 0),
    ...deliveryCountsOf({ tally }, recipientCount),
  };
  return numbers.withheldBelow === undefined ? metrics : { ...metrics, enps_score_average: null };
}

type Derivation = (tally: Counts, recipientCount: number) => number;

/**
 * Derives each metric from a tally; nothing else in the project divides the numbers of a campaign. Rates are from 0 to 1
 * with at most 4 decimals, percentages are whole numbers, the average has at most 2 decimals, and a zero denominator
 * gives 0.
 */
const derivations: Readonly<Record<MetricName, Derivation>> = {
  // Overall tracking counts devices, and there may be more devices than recipients.
  open_rate: ({ uniqueOpens }, recipientCount) => Math.min(ratio(uniqueOpens, recipientCount, 10_000), 1),
  click_rate: ({ uniqueClicks }, recipientCount) => Math.min(ratio(uniqueClicks, recipientCount, 10_000), 1),
  unique_opens: ({ uniqueOpens }) => uniqueOpens,
  multiple_opens: ({ totalOpens, uniqueOpens }) => totalOpens - uniqueOpens,
  unopened: ({ uniqueOpens }, recipientCount) => Math.max(recipientCount - uniqueOpens, 0),
  total_opens: ({ totalOpens }) => totalOpens,
  unique_clicks: ({ uniqueClicks }) => uniqueClicks,
  multiple_clicks: ({ totalClicks, uniqueClicks }) => totalClicks - uniqueClicks,
  total_clicks: ({ totalClicks }) => totalClicks,
  click_per_unique_open_rate: ({ uniqueClicks, uniqueOpens }) => ratio(100 * uniqueClicks, uniqueOpens, 1),
  desktop_open_rate: ({ desktopOpens, mobileOpens }) => shareOf(0, [desktopOpens, mobileOpens]),
  mobile_open_rate: ({ desktopOpens, mobileOpens }) => shareOf(1, [desktopOpens, mobileOpens]),
  read_time_glanced: ({ glanced, skimmed, read }) => shareOf(0, [glanced, skimmed, read]),
  read_time_skimmed: ({ glanced, skimmed, read }) => shareOf(1, [glanced, skimmed, read]),
  read_time_read: ({ glanced, skimmed, read }) => shareOf(2, [glanced, skimmed, read]),
  enps_score_average: ({ enpsScores, enpsReactions }) => ratio(enpsScores, enpsReactions, 100),
  enps_reactions_count: ({ enpsReactions }) => enpsReactions,
  enps_comments_count: ({ enpsComments }) => enpsComments,
  survey_reactions_count: ({ surveyReactions }) => surveyReactions,
  survey_reactions_comments_count: ({ surveyComments }) => surveyComments,
};

/** All {@link derivations} of a tally. */
export function deriveMetrics(tally: Counts, recipientCount: number): Metrics {
  const metrics = {} as Metrics;
  for (const name of metricNames) metrics[name] = derivations[name](tally, recipientCount);
  return metrics;
}

/** A quotient rounded half up to a multiple of 1 / `parts`. Exact, because it computes with integers. */
export function ratio(numerator: number, denominator: number, parts: number): number {
  if (denominator === 0) return 0;
  const dividend = 2 * numerator * parts + denominator;
  // Below 2^53 a rounded quotient of integers never reaches the next integer, so its floor is exact.
  if (dividend + 2 * denominator <= Number.MAX_SAFE_INTEGER) {
    return Math.floor(dividend / (2 * denominator)) / parts;
  }
  const [n, d] = [BigInt(numerator) * BigInt(parts), BigInt(denominator)];
  return Number((2n * n + d) / (2n * d)) / parts;
}

/**
 * One of several whole percentages that sum to 100, by the largest remainder method; ties go to the first. 0 if all counts
 * are 0.
 */
function shareOf(index: number, counts: readonly number[]): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return 0;
  const percentages = counts.map((count) => percentageOf(count, total));
  const left = 100 - percentages.reduce((sum, { whole }) => sum + whole, 0);
  const own = percentages[index] as Percentage;
  const before = percentages.filter(
    ({ remainder }, other) => remainder > own.remainder || (remainder === own.remainder && other < index),
  );
  return own.whole + (before.length < left ? 1 : 0);
}

interface Percentage {
  whole: number;
  remainder: number | bigint;
}

/** Exact, because it computes with integers. */
function percentageOf(count: number, total: number): Percentage {
  if (101 * total <= Number.MAX_SAFE_INTEGER) {
    return { whole: Math.floor((100 * count) / total), remainder: (100 * count) % total };
  }
  const exact = 100n * BigInt(count);
  return { whole: Number(exact / BigInt(total)), remainder: exact % BigInt(total) };
}
