// The query parameters of the overview: the filters, the metric of the chart, how subjects are ranked, and by which field
// results are broken down.

import type { CoveredRateName } from "../../../campaign/sum-rates.ts";
import type { FilterOptions } from "../filters/filter-options.ts";
import { type FilterDefaults, filterQuery, type PageFilters, parseChoice } from "../filters/filters.ts";
import type { Locale } from "../locale.ts";

/** By their values in the URL. */
export const rankings = ["rate", "team"] as const;
type SubjectRanking = (typeof rankings)[number];

/** The metrics that the chart can show, by their values in the URL; undefined for the number of campaigns. */
export const chartMetrics = {
  open_rate: "openRate",
  click_rate: "clickRate",
  click_to_open_rate: "clickToOpenRate",
  enps: "enpsIndex",
  campaigns: undefined,
} as const satisfies Record<string, CoveredRateName | undefined>;
export type ChartMetric = keyof typeof chartMetrics;
const chartMetricNames = Object.keys(chartMetrics) as ChartMetric[];

/** Fields by which campaigns differ, by their values in the URL. */
const breakdownFields = ["team", "tag", "sending_type"] as const;
export type BreakdownField = (typeof breakdownFields)[number];

/** What the overview shows, besides the filters. */
export interface OverviewView {
  chart: ChartMetric;
  ranking: SubjectRanking;
  /** Undefined if the organization has nothing to compare. */
  by: BreakdownField | undefined;
  /** The fields with several values in the organization. The first is the default. */
  fields: readonly BreakdownField[];
}

/** @throws AppError `bad_request` naming the label, the value and the accepted values */
export function parseView(locale: Locale, query: URLSearchParams, options: FilterOptions): OverviewView {
  const valuesOf = {
    ...{ team: options.teams, tag: options.tags },
    sending_type: options.sendingTypes,
  };
  const fields = breakdownFields.filter((field) => valuesOf[field].length > 1);
  return {
    chart:
      parseChoice(locale, locale.t("overview.chart"), query.get("chart") ?? "", chartMetricNames) ??
      "open_rate",
    ranking: parseChoice(locale, locale.t("overview.rankBy"), query.get("rank") ?? "", rankings) ?? "rate",
    by:
      parseChoice(locale, locale.t("overview.breakDownBy"), query.get("by") ?? "", breakdownFields) ??
      fields[0],
    fields,
  };
}

/** The query string of the overview, without defaults. */
export function overviewQuery(
  filters: PageFilters,
  { chart, ranking, by, fields }: OverviewView,
  defaults: FilterDefaults,
): URLSearchParams {
  const query = filterQuery(filters, defaults);
  if (chart !== "open_rate") query.set("chart", chart);
  if (ranking !== "rate") query.set("rank", ranking);
  if (by !== undefined && by !== fields[0]) query.set("by", by);
  return query;
}
