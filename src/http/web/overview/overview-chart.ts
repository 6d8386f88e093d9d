// The chart of the overview: a metric over the period, with the period that it is compared with, and each campaign if they
// are few.

import { type BucketUnit, periodOfBucket, startsOf } from "../../../campaign/calendar/buckets.ts";
import { isoDay } from "../../../campaign/calendar/calendar-date.ts";
import { customPeriod, type DateSpan, namedPeriod } from "../../../campaign/calendar/period.ts";
import { rateOfSome } from "../../../campaign/rate-ranges.ts";
import { areComparable } from "../../../campaign/sum-rates.ts";
import { leftOutOf } from "../../../campaign/sums.ts";
import { chartMetrics } from "../../../listing/sums/overview-choices.ts";
import type { CampaignDot, OverviewNumbers } from "../../../listing/sums/overview-numbers.ts";
import { type FilterDefaults, type PageFilters, todayOf } from "../../../listing/sums/page-filters.ts";
import { filterQuery } from "../../filter-query.ts";
import { type Html, html } from "../../html.ts";
import type { Locale } from "../locale.ts";
import { type ChartDot, type ChartSeries, renderChart } from "../ui/charts.ts";
import { methodOfRate } from "../ui/number-or-dash.ts";
import { rateSeries } from "../ui/rate-series.ts";
import type { OverviewContext } from "./breakdown.ts";

/** A metric leads back to the chart, not to the start of the page. */
export const chartId = "chart";

export function overviewChart(
  { locale, filters, defaults, view }: OverviewContext,
  { buckets: { unit, spans }, total, trend, compared, dots }: OverviewNumbers,
): Html {
  const { t, format } = locale;
  const name = chartMetrics[view.chart];
  const title = name === undefined ? t("overview.campaigns") : t(`overview.rates.${name}`);
  const fresh = trend.map(leftOutOf);
  const reasons = fresh.map((count) => (count > 0 ? t("campaigns.stillCounting") : undefined));
  const seriesOf = (all: Pick<OverviewNumbers, "total" | "trend">, title: string): ChartSeries => {
    const sums = spans.map((_, index) => all.trend[index]);
    if (name === undefined) return { name: title, values: sums.map((some) => some?.campaigns ?? null) };
    const rates = sums.map((some) => (some ? rateOfSome(some, all.total, name) : null));
    return rateSeries(locale, { title, name, rates }, all.trend === trend ? reasons : []);
  };
  const series = [seriesOf({ total, trend }, title)];
  const { traffic } = filters;
  if (compared && (name === undefined || areComparable(total, compared.total, { name, traffic }))) {
    const dates = format.dateRange(compared.span.first, compared.span.last);
    const { ranges, ...others } = seriesOf(compared, dates);
    series.push({ ...others, isComparison: true });
  }
  const method = name ? methodOfRate(name) : "count";
  const isUnfinished = isoDay(spans.at(-1)?.last ?? todayOf(defaults)) >= isoDay(todayOf(defaults));
  const leftOut = leftOutOf(total);
  const stillCounting = (count: number) => (count > 0 ? t("overview.stillCounting", { count }) : undefined);
  const chart = renderChart({
    ...{
      locale,
      series,
      kind: name === undefined ? "columns" : "lines",
      title,
      xTitle: t(`overview.units.${unit}`),
      height: 320,
    },
    labels: spans.map((span) => labelOf(locale, span, unit)),
    axisLabels: spans.map((span) => axisLabelOf(locale, span, unit)),
    urls: spans.map((span) => urlOf(span, unit, filters, defaults)),
    dots: placeDots(dots, spans, defaults.timeZone),
    format: (value) => format[method](value),
    ...(method === "rate" && { formatTick: (rate: number) => format.roundRate(rate) }),
    unfinished: spans.map((_, index) =>
      isUnfinished && index === spans.length - 1
        ? (stillCounting(fresh[index] ?? 0) ?? t(`overview.unfinished.${unit}`))
        : stillCounting(fresh[index] ?? 0),
    ),
    unfinishedNote: leftOut > 0 ? t("campaigns.isStillCounting") : undefined,
    emptyText: stillCounting(leftOut),
  });
  return html`<section class="card" id="${chartId}">${chart}</section>`;
}

/** Where campaigns stand among the buckets, and how large their dots are: the area is proportional to their recipients. */
function placeDots(dots: readonly CampaignDot[], spans: readonly DateSpan[], timeZone: string): ChartDot[] {
  const starts = startsOf({ unit: "day", spans: [...spans] }, timeZone);
  const most = Math.max(...dots.map(({ whole }) => whole));
  return dots.flatMap(({ sentAt, rate, whole }) => {
    const index = starts.findLastIndex((start) => start <= sentAt);
    const [start, end] = [starts[index], starts[index + 1]];
    if (start === undefined || end === undefined) return [];
    return [{ at: index + (sentAt - start) / (end - start), value: rate, size: Math.sqrt(whole / most) }];
  });
}

function labelOf({ format }: Locale, { first }: DateSpan, unit: BucketUnit): string {
  if (unit === "year") return String(first.year);
  return unit === "month" ? format.month(first) : format.date(first);
}

/** Days and weeks leave out the year: a chart has at most a few months of them. */
function axisLabelOf(locale: Locale, span: DateSpan, unit: BucketUnit): string {
  return unit === "day" || unit === "week"
    ? locale.format.shortDate(span.first)
    : labelOf(locale, span, unit);
}

/** The campaigns of a bucket. */
function urlOf(span: DateSpan, unit: BucketUnit, filters: PageFilters, defaults: FilterDefaults): string {
  const today = todayOf(defaults);
  const name = periodOfBucket(span, unit);
  const custom = customPeriod({ from: span.first, until: span.last }, today);
  const period = (name === undefined ? undefined : namedPeriod(name, today)) ?? custom;
  return `/campaigns?${filterQuery({ ...filters, period }, defaults)}`;
}
