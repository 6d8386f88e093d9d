// The query parameters of the overview besides the filters: the metric of the chart.

import { type ChartMetric, chartMetrics, type OverviewView } from "../../../listing/sums/overview-choices.ts";
import type { Locale } from "../../../locale/locale.ts";
import { parseChoice } from "../filters/filters.ts";

const chartMetricNames = Object.keys(chartMetrics) as ChartMetric[];

/** @throws AppError `bad_request` naming the label, the value and the accepted values */
export function parseView(locale: Locale, query: URLSearchParams): OverviewView {
  return {
    chart:
      parseChoice(locale, locale.t("overview.chart"), query.get("chart") ?? "", chartMetricNames) ??
      "open_rate",
  };
}
