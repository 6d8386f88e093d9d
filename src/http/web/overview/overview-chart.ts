// The chart of the overview: a metric over the period, with the period that it is compared with, and each campaign if they
// are few.

import { type BucketUnit, periodOfBucket } from "../../../campaign/calendar/buckets.ts";
import { isoDay } from "../../../campaign/calendar/calendar-date.ts";
import { customPeriod, type DateSpan, namedPeriod } from "../../../campaign/calendar/period.ts";
import { rateOfSome } from "../../../campaign/rate-ranges.ts";
import { areComparable } from "../../../campaign/sum-rates.ts";
import { leftOutOf } from "../../../campaign/sums.ts";
import { dotsSoFar, type FreshCampaign } from "../../../listing/reports/fresh-campaigns.ts";
import { filterQuery } from "../../../listing/sums/filter-query.ts";
import { chartMetrics } from "../../../listing/sums/overview-choices.ts";
import { maxDots, type OverviewNumbers } from "../../../listing/sums/overview-numbers.ts";
import { type FilterDefaults, type PageFilters, todayOf } from "../../../listing/sums/page-filters.ts";
import { type Html, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { methodOfRate } from "../../../locale/rate-text.ts";
import { spanTitles } from "../filters/period-title.ts";
import { type ChartSeries, renderChart } from "../ui/charts/charts.ts";
import { rateSeries } from "../ui/charts/rate-series.ts";
import { aboutNumbers } from "../ui/numbers/about-numbers.ts";
import { chartDots } from "./chart-places.ts";
import type { OverviewContext } from "./overview-context.ts";
import { chartId, countedTexts } from "./overview-metrics.ts";

/** The height in pixels, which fills the first screen of a desk. */
const chartHeight = 420;

export function overviewChart(
  session: OverviewContext,
  { span, buckets: { unit, spans }, total, trend, compared, dots }: OverviewNumbers,
  fresh: readonly FreshCampaign[],
): Html {
  const { filters, defaults, view, t, format } = session;
  const name = chartMetrics[view.chart];
  const title = name === undefined ? t("pages.campaigns") : t(`numbers.${name}`);
  const compares = [span, compared?.span].filter((each) => each !== undefined);
  const names = spanTitles(session, compares, todayOf(defaults));
  const counting = trend.map(leftOutOf);
  const reasons = counting.map((count) => (count > 0 ? t("campaigns.stillCounting") : undefined));
  const seriesOf = (all: Pick<OverviewNumbers, "total" | "trend">, title: string): ChartSeries => {
    const sums = spans.map((_, index) => all.trend[index]);
    if (name === undefined) return { name: title, values: sums.map((some) => some?.campaigns ?? null) };
    const rates = sums.map((some) => (some ? rateOfSome(some, all.total, name) : null));
    return rateSeries(session, { title, name, rates }, all.trend === trend ? reasons : []);
  };
  const series = [seriesOf({ total, trend }, title)];
  const { traffic } = filters;
  if (compared && (name === undefined || areComparable(total, compared.total, { name, traffic }))) {
    series.push({ ...seriesOf(compared, names.at(-1) ?? ""), isComparison: true });
  }
  const hollow = name && total.campaigns <= maxDots ? dotsSoFar(fresh, name, traffic) : [];
  const method = name ? methodOfRate(name) : "count";
  const isUnfinished = isoDay(spans.at(-1)?.last ?? todayOf(defaults)) >= isoDay(todayOf(defaults));
  const leftOut = leftOutOf(total);
  const notes = [
    ...countedTexts(session, total, traffic),
    ...(leftOut > 0 ? [t("ui.leftOut", { count: leftOut })] : []),
    t("overview.scope", { timeZone: defaults.timeZone }),
  ];
  const stillCounting = (count: number) => (count > 0 ? t("overview.stillCounting", { count }) : undefined);
  const chart = renderChart({
    locale: session,
    series,
    kind: name === undefined ? "columns" : "lines",
    title,
    xTitle: t(`overview.units.${unit}`),
    height: chartHeight,
    heading: html`<div class="about-row"><span class="soft">${compared && series.length < 2 ? t("overview.vsPeriod", { dates: names[0] ?? "", others: names[1] ?? "" }) : names[0]}</span>${aboutNumbers(session, notes)}</div>`,
    labels: spans.map((span) => labelOf(session, span, unit)),
    axisLabels: spans.map((span) => axisLabelOf(session, span, unit)),
    ...(unit === "week" && { labelPlace: 0 }),
    urls: spans.map((span) => urlOf(span, unit, filters, defaults)),
    ...(name && {
      dots: chartDots([...dots, ...hollow], spans, defaults.timeZone),
      dotNote: t(`overview.dots.${name}`),
    }),
    format: (value) => format[method](value),
    ...(method === "rate" && { formatTick: (rate: number) => format.roundRate(rate) }),
    unfinished: spans.map((_, index) =>
      isUnfinished && index === spans.length - 1
        ? (stillCounting(counting[index] ?? 0) ?? t(`overview.unfinished.${unit}`))
        : stillCounting(counting[index] ?? 0),
    ),
    unfinishedNote: leftOut > 0 ? t("campaigns.isStillCounting") : undefined,
    emptyText: stillCounting(leftOut),
  });
  return html`<section class="card" id="${chartId}">${chart}</section>`;
}

function labelOf({ format }: Locale, { first, last }: DateSpan, unit: BucketUnit): string {
  if (unit === "year") return String(first.year);
  return unit === "month" ? format.month(first) : format.dateRange(first, last);
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
  const period =
    (name === undefined ? undefined : namedPeriod(name, today)) ??
    customPeriod({ from: span.first, until: span.last }, today);
  return `/campaigns?${filterQuery({ ...filters, period }, defaults)}`;
}
