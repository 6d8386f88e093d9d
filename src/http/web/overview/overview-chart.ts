// The chart of the overview: opens and clicks over the period, with the period that it is compared with.

import { isoDay } from "../../../campaign/calendar/calendar-date.ts";
import { rateOfSome } from "../../../campaign/rate-ranges.ts";
import { areComparable } from "../../../campaign/sum-rates.ts";
import { type Html, html } from "../../html.ts";
import { type FilterDefaults, filterQuery, type PageFilters, todayOf } from "../filters/filters.ts";
import { customPeriod, type DateSpan, namedPeriod } from "../filters/period.ts";
import type { Locale } from "../locale.ts";
import { type ChartSeries, renderChart } from "../ui/charts.ts";
import { leftOutOf } from "../ui/left-out.ts";
import { rateSeries } from "../ui/rate-series.ts";
import { type BucketUnit, periodOfBucket } from "./buckets.ts";
import { type OverviewNumbers, trendRates } from "./overview-numbers.ts";

type TrendRate = (typeof trendRates)[number];

export function overviewChart(
  locale: Locale,
  { buckets: { unit, spans }, total, trend, compared }: OverviewNumbers,
  filters: PageFilters,
  defaults: FilterDefaults,
): Html {
  const { t, format } = locale;
  const fresh = trend.map(leftOutOf);
  const reasons = fresh.map((count) => (count > 0 ? t("campaigns.stillCounting") : undefined));
  const ratesOf = (all: Pick<OverviewNumbers, "total" | "trend">, name: TrendRate, title: string) => ({
    ...{ title, name },
    rates: spans.map((_, index) => {
      const some = all.trend[index];
      return some ? rateOfSome(some, all.total, name) : null;
    }),
  });
  const series: ChartSeries[] = trendRates.map((name) =>
    rateSeries(locale, ratesOf({ total, trend }, name, t(`overview.rates.${name}`)), reasons),
  );
  const { traffic } = filters;
  if (compared && areComparable(total, compared.total, { name: "openRate", traffic })) {
    const title = `${t("overview.rates.openRate")}, ${format.dateRange(compared.span.first, compared.span.last)}`;
    const { ranges, ...rates } = rateSeries(locale, ratesOf(compared, "openRate", title));
    series.push({ ...rates, isComparison: true });
  }
  const isUnfinished = isoDay(spans.at(-1)?.last ?? todayOf(defaults)) >= isoDay(todayOf(defaults));
  const leftOut = leftOutOf(total);
  const stillCounting = (count: number) => (count > 0 ? t("overview.stillCounting", { count }) : undefined);
  const chart = renderChart({
    ...{
      locale,
      series,
      kind: "lines",
      title: t("overview.openAndClick"),
      xTitle: t(`overview.units.${unit}`),
    },
    labels: spans.map((span) => labelOf(locale, span, unit)),
    axisLabels: spans.map((span) => axisLabelOf(locale, span, unit)),
    urls: spans.map((span) => urlOf(span, unit, filters, defaults)),
    format: (rate) => format.rate(rate),
    formatTick: (rate) => format.roundRate(rate),
    unfinished: spans.map((_, index) =>
      isUnfinished && index === spans.length - 1
        ? (stillCounting(fresh[index] ?? 0) ?? t(`overview.unfinished.${unit}`))
        : stillCounting(fresh[index] ?? 0),
    ),
    unfinishedNote: stillCounting(leftOut),
    emptyText: stillCounting(leftOut),
  });
  return html`<section class="card">${chart}</section>`;
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
