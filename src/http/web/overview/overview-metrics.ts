// The key metrics of the overview: value, change, trend, and from how many campaigns.

import type { TrafficFilter } from "../../../campaign/events/traffic.ts";
import { areComparable, type CoveredRateName, coveredRateOf } from "../../../campaign/sum-rates.ts";
import type { Sums } from "../../../campaign/sums.ts";
import { type Html, html } from "../../html.ts";
import type { Locale } from "../locale.ts";
import { type KeyMetric, keyMetrics, type MetricChange } from "../ui/key-metrics.ts";
import { leftOutText } from "../ui/left-out.ts";
import { type OverviewNumbers, otherOf } from "./overview-numbers.ts";

/** How a value and its change are written. */
interface ValueFormat {
  value(locale: Locale, value: number): string;
  change(locale: Locale, value: number, before: number): string;
}

const countFormat: ValueFormat = {
  value: ({ format }, value) => format.count(value),
  change: ({ format }, value, before) => format.relativeChange(value / before - 1),
};
const rateFormat: ValueFormat = {
  value: ({ format }, value) => format.rate(value),
  change: ({ format, t }, value, before) =>
    t("ui.points", { difference: format.pointChange(100 * (value - before)) }),
};
const indexFormat: ValueFormat = {
  value: ({ format }, value) => format.index(value),
  change: ({ format }, value, before) => format.index(value - before),
};

export function overviewMetrics(locale: Locale, numbers: OverviewNumbers, traffic: TrafficFilter): Html {
  const metrics = keyMetrics([
    campaignsMetric(locale, numbers),
    rateMetric(locale, numbers, "openRate", traffic),
    rateMetric(locale, numbers, "clickRate", traffic),
    rateMetric(locale, numbers, "clickToOpenRate", traffic),
    enpsMetric(locale, numbers, traffic),
  ]);
  const { total, compared } = numbers;
  const isCompared = !compared || areComparable(total, compared.total, { name: "openRate", traffic });
  const notes = [
    ...(traffic === "all" ? importedText(locale, total) : []),
    ...[leftOutText(locale, total)].filter((text) => text !== undefined),
    ...(isCompared ? [] : [`${locale.t("ui.notCompared")}.`]),
  ];
  return html`${metrics}${notes.length > 0 && html`<p class="soft small">${notes.join(" ")}</p>`}`;
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

function campaignsMetric(locale: Locale, { total, trend, compared }: OverviewNumbers): KeyMetric {
  const change = changeOf(locale, countFormat, total.campaigns, compared?.total.campaigns);
  return {
    name: locale.t("overview.campaigns"),
    value: countFormat.value(locale, total.campaigns),
    change: change && { ...change, isNeutral: true },
    trend: trend.map((sums) => sums.campaigns),
    trendKind: "columns",
    note: locale.t("overview.emailsSent", { emails: total.recipients }),
  };
}

function rateMetric(
  locale: Locale,
  numbers: OverviewNumbers,
  name: Extract<CoveredRateName, "openRate" | "clickRate" | "clickToOpenRate">,
  traffic: TrafficFilter,
): KeyMetric {
  const { t, format } = locale;
  const metric = coveredMetric(locale, numbers, {
    name,
    traffic,
    format: rateFormat,
    title: t(`overview.rates.${name}`),
  });
  const other = coveredRateOf(numbers.otherTraffic, name).rate;
  if (other === null || other === coveredRateOf(numbers.total, name).rate) return metric;
  const difference = t(`overview.withTraffic.${otherOf(traffic)}`, { rate: format.rate(other) });
  return { ...metric, note: `${metric.note}. ${difference}` };
}

/** The index is the headline; imported campaigns have only an average rating. */
function enpsMetric(locale: Locale, numbers: OverviewNumbers, traffic: TrafficFilter): KeyMetric {
  const { t, format } = locale;
  const { total } = numbers;
  const metric = coveredMetric(locale, numbers, {
    name: "enpsIndex",
    traffic,
    format: indexFormat,
    title: t("overview.enps"),
  });
  const withoutRatings = total.settledCampaigns > 0 && noRatings(locale, total);
  if (withoutRatings) return { ...metric, ...withoutRatings };
  const mean = coveredRateOf(total, "enpsMean");
  if (mean.rate === null) return metric;
  const average = t("overview.averageRating", {
    mean: format.mean(mean.rate),
    from: mean.from,
    of: mean.of,
    ratings: total.ratings,
  });
  return { ...metric, note: `${metric.note}. ${average}` };
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
    note: t("overview.surveysUnknown", { unknown: maybeSurveyedCampaigns, of: campaigns }),
  };
}

interface CoveredMetric {
  name: CoveredRateName;
  traffic: TrafficFilter;
  format: ValueFormat;
  title: string;
}

function coveredMetric(
  locale: Locale,
  { total, trend, compared }: OverviewNumbers,
  { name, traffic, format, title }: CoveredMetric,
): KeyMetric {
  const { t } = locale;
  const { rate, from, of, counts, isTooFew } = coveredRateOf(total, name);
  const rateOf = (sums: Sums) => coveredRateOf(sums, name).rate;
  const coverage =
    name === "enpsIndex"
      ? t("overview.fromSurveyed", { from, of })
      : t(`overview.from.${counts}`, { from, of });
  const before = compared && areComparable(total, compared.total, { name, traffic }) && compared.total;
  if (total.campaigns > 0 && total.settledCampaigns === 0) {
    return { name: title, value: t("campaigns.stillCounting"), isText: true, note: "" };
  }
  return {
    name: title,
    value: rate === null ? t(`overview.${isTooFew ? "tooFew" : "none"}`) : format.value(locale, rate),
    isText: rate === null,
    change: changeOf(locale, format, rate, before ? rateOf(before) : null),
    trend: trend.map(rateOf),
    note: isTooFew ? t("overview.knownOnly", { from: coverage }) : coverage,
  };
}

function changeOf(
  locale: Locale,
  format: ValueFormat,
  value: number | null,
  before: number | null | undefined,
): MetricChange | undefined {
  if (value === null || before === null || before === undefined) return undefined;
  const text = format.change(locale, value, before);
  const isFlat = !/[1-9]/.test(text);
  const direction = isFlat ? "flat" : value > before ? "up" : "down";
  return {
    text: isFlat ? locale.t("overview.unchanged") : text,
    direction,
    comparedWith: locale.t("overview.before", { value: format.value(locale, before) }),
  };
}
