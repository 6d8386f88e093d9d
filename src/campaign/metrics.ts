// Metrics: the numbers of a campaign in its public record, and how they are derived from a tally.

import type { Tallies, Tally } from "./events/tally.ts";
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
export type ReportedMetrics = Record<MetricName, number | null>;

/** The metrics of a counted campaign. */
type Metrics = Record<MetricName, number>;

/** The source of a campaign's metrics. */
export type Numbers = { reported: ReportedMetrics } | { tallies: Tallies };

/** The metrics that a record shows, for the traffic that the organization counts. */
export function metricsOf(
  numbers: Numbers,
  recipientCount: number | null,
  traffic: TrafficFilter,
): ReportedMetrics {
  if ("reported" in numbers) return numbers.reported;
  return deriveMetrics(numbers.tallies[traffic], recipientCount ?? 0);
}

/**
 * Derives metrics from a tally; nothing else in the project divides. Rates are from 0 to 1 with at most 4 decimals,
 * percentages are whole numbers, the average has at most 2 decimals, and a zero denominator gives 0.
 */
export function deriveMetrics(tally: Tally, recipientCount: number): Metrics {
  const [desktop = 0, mobile = 0] = shares([tally.desktopOpens, tally.mobileOpens]);
  const [glanced = 0, skimmed = 0, read = 0] = shares([tally.glanced, tally.skimmed, tally.read]);
  return {
    // Overall tracking counts devices, and there may be more devices than recipients.
    open_rate: Math.min(ratio(tally.uniqueOpens, recipientCount, 10_000), 1),
    click_rate: Math.min(ratio(tally.uniqueClicks, recipientCount, 10_000), 1),
    unique_opens: tally.uniqueOpens,
    multiple_opens: tally.totalOpens - tally.uniqueOpens,
    unopened: Math.max(recipientCount - tally.uniqueOpens, 0),
    total_opens: tally.totalOpens,
    unique_clicks: tally.uniqueClicks,
    multiple_clicks: tally.totalClicks - tally.uniqueClicks,
    total_clicks: tally.totalClicks,
    click_per_unique_open_rate: ratio(100 * tally.uniqueClicks, tally.uniqueOpens, 1),
    desktop_open_rate: desktop,
    mobile_open_rate: mobile,
    read_time_glanced: glanced,
    read_time_skimmed: skimmed,
    read_time_read: read,
    enps_score_average: ratio(tally.enpsScores, tally.enpsReactions, 100),
    enps_reactions_count: tally.enpsReactions,
    enps_comments_count: tally.enpsComments,
    survey_reactions_count: tally.surveyReactions,
    survey_reactions_comments_count: tally.surveyComments,
  };
}

/** A quotient rounded half up to a multiple of 1 / `parts`. Exact, because it computes with integers. */
function ratio(numerator: number, denominator: number, parts: number): number {
  if (denominator === 0) return 0;
  const [n, d] = [BigInt(numerator) * BigInt(parts), BigInt(denominator)];
  return Number((2n * n + d) / (2n * d)) / parts;
}

/** Whole percentages that sum to 100, by the largest remainder method; ties go to the first. */
function shares(counts: readonly number[]): number[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return counts.map(() => 0);
  const exact = counts.map((count) => 100n * BigInt(count));
  const percentages = exact.map((hundredfold) => Number(hundredfold / BigInt(total)));
  const remainders = exact.map((hundredfold) => hundredfold % BigInt(total));
  const byRemainder = counts
    .map((_, index) => index)
    .sort((a, b) => Number((remainders[b] ?? 0n) - (remainders[a] ?? 0n)) || a - b);
  const left = 100 - percentages.reduce((sum, percentage) => sum + percentage, 0);
  for (const index of byRemainder.slice(0, left)) percentages[index] = (percentages[index] ?? 0) + 1;
  return percentages;
}
