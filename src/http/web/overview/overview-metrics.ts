// The key metrics of the overview: value, change, and from how many campaigns if not from all. Each shows its chart.

import type { TrafficFilter } from "../../../campaign/events/traffic.ts";
import { rangeOf } from "../../../campaign/rate-ranges.ts";
import { areComparable, coveredRateOf } from "../../../campaign/sum-rates.ts";
import { leftOutOf, type Sums } from "../../../campaign/sums.ts";
import type { ChartMetric } from "../../../listing/sums/overview-choices.ts";
import { findChange, type OverviewNumbers } from "../../../listing/sums/overview-numbers.ts";
import { overviewQuery } from "../../filter-query.ts";
import { type Html, type HtmlValue, html } from "../../html.ts";
import { urlWithQuery } from "../filters/filter-bar.ts";
import type { Locale } from "../locale.ts";
import type { NameIn } from "../translations.ts";
import { type KeyMetric, keyMetrics, type MetricChange } from "../ui/key-metrics.ts";
import { methodOfRate } from "../ui/number-or-dash.ts";
import { rateDifference } from "../ui/rate-difference.ts";
import { rateWithRange } from "../ui/rate-with-range.ts";
import type { OverviewContext } from "./breakdown.ts";
import { chartId } from "./overview-chart.ts";

type OverviewRate = NameIn<"overview.rates">;

/** Each leads to its chart. */
export function overviewMetrics(
  { locale, filters, defaults, view }: OverviewContext,
  numbers: OverviewNumbers,
): Html {
  const { traffic } = filters;
  const metrics: Record<ChartMetric, KeyMetric> = {
    open_rate: coveredMetric(locale, numbers, "openRate", traffic),
    click_rate: coveredMetric(locale, numbers, "clickRate", traffic),
    click_to_open_rate: coveredMetric(locale, numbers, "clickToOpenRate", traffic),
    enps: enpsMetric(locale, numbers, traffic),
    campaigns: campaignsMetric(locale, numbers),
  };
  const cards = keyMetrics(
    Object.entries(metrics).map(([name, metric]) => {
      const chart = name as ChartMetric;
      const url = urlWithQuery("/", overviewQuery(filters, { ...view, chart }, defaults));
      return { ...metric, url: `${url}#${chartId}`, isCurrent: chart === view.chart };
    }),
  );
  const { total, compared } = numbers;
  const isCompared = !compared || areComparable(total, compared.total, { name: "openRate", traffic });
  const notes = [
    ...(traffic === "all" ? importedText(locale, total) : []),
    ...(isCompared ? [] : [`${locale.t("ui.notCompared")}.`]),
  ];
  return html`${cards}${notes.length > 0 && html`<p class="soft small">${notes.join(" ")}</p>`}`;
}

/** What the numbers of the page count. Numbers as reported do not say which traffic they are of. */
export function countedText(locale: Locale, total: Sums, traffic: TrafficFilter): string {
  const counted = total.countedCampaigns > 0 ? [locale.t(`overview.countedTraffic.${traffic}`)] : [];
  return [...counted, ...importedText(locale, total)].join(" ");
}

/** How many campaigns have numbers as reported; empty for none. */
function importedText({ t }: Locale, { campaigns, countedCampaigns }: Sums): string[] {
  const imported = campaigns - countedCampaigns;
  return imported > 0 ? [t("overview.imported", { imported, of: campaigns })] : [];
}

function campaignsMetric(locale: Locale, { total, compared }: OverviewNumbers): KeyMetric {
  const { format } = locale;
  const before = compared?.total.campaigns;
  // Without an arrow, which means more than chance.
  const change = before && {
    text: format.relativeChange(total.campaigns / before - 1),
    direction: "flat" as const,
  };
  const leftOut = leftOutOf(total);
  return {
    name: locale.t("overview.campaigns"),
    value: format.count(total.campaigns),
    change: change ? comparedWith(locale, change, format.count(before)) : undefined,
    note: html`${locale.t("overview.emailsSent", { emails: total.recipients })}${leftOut > 0 && html`<br>${locale.t("overview.countingLeftOut", { count: leftOut })}`}`,
  };
}

/** The index is the headline; imported campaigns have only an average rating. */
function enpsMetric(locale: Locale, numbers: OverviewNumbers, traffic: TrafficFilter): KeyMetric {
  const { t, format } = locale;
  const { total } = numbers;
  const metric = coveredMetric(locale, numbers, "enpsIndex", traffic);
  const withoutRatings = total.settledCampaigns > 0 && noRatings(locale, total);
  if (withoutRatings) return { ...metric, ...withoutRatings };
  const mean = coveredRateOf(total, "enpsMean");
  if (mean.rate === null) return metric;
  const { ratings } = total;
  if (coveredRateOf(total, "enpsIndex").rate !== null)
    return { ...metric, note: sentences(metric.note, t("overview.ratings", { ratings })) };
  const average = t("overview.averageRating", { mean: format.mean(mean.rate), ratings });
  const coverage =
    mean.from < mean.of ? t("overview.fromSurveyed", { from: mean.from, of: mean.of }) : metric.note;
  return { ...metric, note: sentences(coverage, average) };
}

/** What there is to say without ratings. Undefined if campaigns have some, or may have. */
function noRatings({ t }: Locale, total: Sums): Pick<KeyMetric, "value" | "note"> | undefined {
  const { campaigns, surveyedCampaigns, unansweredCampaigns, maybeSurveyedCampaigns } = total;
  if (unansweredCampaigns < surveyedCampaigns) return undefined;
  if (surveyedCampaigns > 0)
    return { value: t("overview.none"), note: t("overview.noAnswersYet", { surveyed: surveyedCampaigns }) };
  if (maybeSurveyedCampaigns === 0) return { value: t("overview.none"), note: t("overview.noSurveys") };
  return {
    value: t("overview.unknown"),
    note: t("overview.surveysUnknown", {
      unknown: maybeSurveyedCampaigns,
      isPartial: maybeSurveyedCampaigns < campaigns,
    }),
  };
}

const sentences = (...texts: HtmlValue[]) => texts.filter((text) => text !== undefined).join(". ");

function coveredMetric(
  locale: Locale,
  numbers: OverviewNumbers,
  name: OverviewRate,
  traffic: TrafficFilter,
): KeyMetric {
  const { t } = locale;
  const { total } = numbers;
  const title = t(`overview.rates.${name}`);
  const { from, of } = coveredRateOf(total, name);
  const { rate, before } = findChange(numbers, name, traffic);
  const write = (value: number) => locale.format[methodOfRate(name)](value);
  const coverage =
    name === "enpsIndex" ? t("overview.fromSurveyed", { from, of }) : t("overview.from", { from, of });
  if (total.campaigns > 0 && total.settledCampaigns === 0) {
    return { name: title, value: t("campaigns.stillCounting"), isText: true, note: "" };
  }
  return {
    name: title,
    value: rate ? rateWithRange(locale, name, rate.value, rangeOf(total, name)) : t("overview.none"),
    isText: rate === null,
    change:
      rate && before
        ? comparedWith(locale, rateDifference(locale, name, rate, before), write(before.value))
        : undefined,
    note: from < of ? coverage : undefined,
  };
}

/** The change with the value of the period before. */
export function comparedWith(locale: Locale, change: MetricChange, before: string): MetricChange {
  const { t } = locale;
  const isZero = !/[1-9]/.test(change.text);
  return {
    ...change,
    text: isZero ? t("overview.unchanged") : change.text,
    direction: isZero ? "flat" : change.direction,
    comparedWith: t("overview.before", { value: before }),
  };
}
