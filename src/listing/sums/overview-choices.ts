// What the overview can show: the metric of its chart, and by which field results are broken down.

import type { CoveredRateName } from "../../campaign/sum-rates.ts";

/** The metrics that the chart can show, by their values in the URL; undefined for the number of campaigns. */
export const chartMetrics = {
  open_rate: "openRate",
  click_rate: "clickRate",
  click_to_open_rate: "clickToOpenRate",
  read_time: "readShare",
  enps: "enpsIndex",
  campaigns: undefined,
} as const satisfies Record<string, CoveredRateName | undefined>;
export type ChartMetric = keyof typeof chartMetrics;

/** Fields by which results are broken down, by their values in URLs. */
export const breakdownFields = ["team", "tag"] as const;
export type BreakdownField = (typeof breakdownFields)[number];

/** What the overview shows, besides the filters. */
export interface OverviewView {
  chart: ChartMetric;
}
