// Metrics with null instead of a 0 that only says that there was nothing to divide by.

import type { MetricName, ReportedMetrics } from "./metrics.ts";

const devices = ["desktop_open_rate", "mobile_open_rate"] as const;
const readTimes = ["read_time_glanced", "read_time_skimmed", "read_time_read"] as const;

/** What the rates that are not per recipient divide: another metric, or shares of the same whole. */
const dividedMetrics: { readonly [Name in MetricName]?: readonly MetricName[] } = {
  click_per_unique_open_rate: ["unique_opens"],
  desktop_open_rate: devices,
  mobile_open_rate: devices,
  read_time_glanced: readTimes,
  read_time_skimmed: readTimes,
  read_time_read: readTimes,
  enps_score_average: ["enps_reactions_count"],
};

/** Returns a metric as pages and feeds have it. A value other than 0 is as given. */
export function knownMetric(
  name: MetricName,
  metrics: Partial<ReportedMetrics>,
  recipientCount: number | null,
): number | null {
  const value = metrics[name] ?? null;
  if (value !== 0) return value;
  if (name === "open_rate" || name === "click_rate") return recipientCount === 0 ? null : 0;
  const divided = dividedMetrics[name] ?? [];
  const isShare = divided.includes(name);
  const isNothing = (each: MetricName) => (isShare ? !metrics[each] : metrics[each] === 0);
  return divided.length > 0 && divided.every(isNothing) ? null : 0;
}
