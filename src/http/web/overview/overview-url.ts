// The query parameters of the overview besides the filters: the metric of the chart, how subjects are ranked, and by which
// field results are broken down.

import type { FilterOptions } from "../../../listing/sums/filter-options.ts";
import {
  breakdownFields,
  type ChartMetric,
  chartMetrics,
  type OverviewView,
  rankings,
} from "../../../listing/sums/overview-choices.ts";
import { parseChoice } from "../filters/filters.ts";
import type { Locale } from "../locale.ts";

const chartMetricNames = Object.keys(chartMetrics) as ChartMetric[];

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
