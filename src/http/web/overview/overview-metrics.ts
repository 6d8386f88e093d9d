// The key metrics of the overview: value, change, and from how many campaigns if not from all. Each shows its chart.

import type { TrafficFilter } from "../../../campaign/events/traffic.ts";
import { rangeOf } from "../../../campaign/rate-ranges.ts";
import { areComparable, coveredRateOf } from "../../../campaign/sum-rates.ts";
import { leftOutOf, type Sums } from "../../../campaign/sums.ts";
import { leadingNumbers, type SoFar } from "../../../listing/reports/fresh-campaigns.ts";
import type { ComparedRates } from "../../../listing/reports/same-age.ts";
import { overviewQuery } from "../../../listing/sums/filter-query.ts";
import type { ChartMetric } from "../../../listing/sums/overview-choices.ts";
import {
  type ComparedTotals,
  minCompared,
  type OverviewNumbers,
  rateLineOf,
} from "../../../listing/sums/overview-numbers.ts";
import type { PageFilters } from "../../../listing/sums/page-filters.ts";
import { type Html, html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import {
  changeSince,
  comparedWith,
  type MetricChange,
  valueBefore,
} from "../../../locale/rate-difference.ts";
import { coverageText, methodOfRate, type NamedRate } from "../../../locale/rate-text.ts";
import { changeAtAge, likelyEndText } from "../../../locale/same-age-text.ts";
import { urlWithQuery } from "../../../paths.ts";
import { type KeyMetric, keyMetrics } from "../ui/numbers/key-metrics.ts";
import { importedText } from "../ui/numbers/left-out.ts";
import { rateWithRange } from "../ui/numbers/rate-with-range.ts";
import type { OverviewContext } from "./overview-context.ts";

/** A metric leads back to the chart, not to the start of the page. */
export const chartId = "chart";

type MetricFilters = Pick<PageFilters, "traffic" | "compare">;

/** What the note of a card is made of: the value before, from how many campaigns the value is, and from what else. */
type OverviewMetric = Omit<KeyMetric, "note"> &
  Partial<Record<"before" | "from" | "more", string | undefined>>;

/** Each leads to its chart. */
export function overviewMetrics(
  session: OverviewContext,
  numbers: OverviewNumbers,
  soFar: SoFar | undefined,
): Html {
  const { filters, defaults, view, t } = session;
  const { traffic } = filters;
  const shown = leadingNumbers(numbers, soFar);
  const provisional = (metric: OverviewMetric, rates?: ComparedRates): OverviewMetric =>
    soFar?.isMost
      ? {
          ...metric,
          provisional: t("overview.soFar"),
          ...changeOf(changeAtAge(session, "openRate", rates)),
        }
      : metric;
  const metrics: Partial<Record<ChartMetric, OverviewMetric>> = {
    open_rate: {
      ...provisional(coveredMetric(session, shown, "openRate", filters), soFar?.openRate),
      more: endText(session, numbers.total, soFar),
    },
    click_rate: provisional(coveredMetric(session, shown, "clickRate", filters), soFar?.clickRate),
    read_time: provisional(readMetric(session, shown, filters)),
    enps: provisional(enpsMetric(session, shown, filters)),
    campaigns: campaignsMetric(session, numbers, filters),
  };
  const cards = keyMetrics(
    Object.entries(metrics).map(([name, metric]) => {
      const chart = name as ChartMetric;
      const url = urlWithQuery("/", overviewQuery(filters, { ...view, chart }, defaults));
      return { ...cardOf(metric), url: `${url}#${chartId}`, isCurrent: chart === view.chart };
    }),
  );
  const { total, compared } = numbers;
  const isCompared = !compared || areComparable(total, compared.total, { name: "openRate", traffic });
  const notes = [
    ...(traffic === "all" ? importedText(session, total) : []),
    ...(isCompared ? [] : [`${t("ui.notCompared")}.`]),
  ];
  return html`${cards}${notes.length > 0 && html`<p class="soft small">${notes.join(" ")}</p>`}`;
}

/** Where the open rate will probably end with the campaigns that are still counting. */
function endText(locale: Locale, total: Sums, soFar: SoFar | undefined): string | undefined {
  if (!soFar?.likelyEnd) return undefined;
  const end = likelyEndText(locale, soFar.likelyEnd);
  return soFar.isMost ? end : locale.t("overview.withCounting", { count: leftOutOf(total), end });
}

/** What the numbers of the page count. Numbers as reported do not say which traffic they are of. */
export function countedTexts(locale: Locale, total: Sums, traffic: TrafficFilter): string[] {
  const { t } = locale;
  const counted = total.countedCampaigns > 0 ? [t(`overview.countedTraffic.${traffic}`)] : [];
  const sent = `${t("overview.emailsSent", { emails: total.recipients })}.`;
  const deliveries = (["bounce_rate", "unsubscribe_rate", "complaint_rate"] as const).flatMap((name) => {
    const { rate, from, of } = coveredRateOf(total, name);
    const coverage = from < of ? ` (${t("campaigns.coverage", { from, of })})` : "";
    const title = t(`numbers.${name}`);
    return rate === null ? [] : [`${title}: ${locale.format[methodOfRate(name)](rate)}${coverage}.`];
  });
  return [...(total.recipients > 0 ? [sent] : []), ...deliveries, ...counted, ...importedText(locale, total)];
}

function campaignsMetric(
  locale: Locale,
  { total, compared }: OverviewNumbers,
  { compare }: MetricFilters,
): OverviewMetric {
  const { t, format } = locale;
  const before = compared?.total.campaigns ?? 0;
  const value = valueBefore(locale, format.count(before), compare);
  const start = compared?.lateStart;
  const text = start ? t("overview.beforeFrom", { value, date: format.date(start) }) : value;
  // Leaves out the arrow, which means more than chance.
  const change =
    before >= minCompared && !start
      ? { text: format.relativeChange(total.campaigns / before - 1), direction: "flat" as const }
      : undefined;
  return {
    name: locale.t("pages.campaigns"),
    value: format.count(total.campaigns),
    ...(before > 0 && { before: text }),
    ...(change && changeOf(comparedWith(locale, change, text))),
  };
}

/** Imports may lack read times: then there will be none, either. */
function readMetric(locale: Locale, numbers: OverviewNumbers, filters: MetricFilters): OverviewMetric {
  const metric = coveredMetric(locale, numbers, "readShare", filters);
  const { countedCampaigns, settledCampaigns, readCampaigns } = numbers.total;
  if (countedCampaigns > 0 || settledCampaigns === 0 || readCampaigns > 0) return metric;
  return { ...metric, value: locale.t("overview.unknown"), from: locale.t("overview.noReads") };
}

/** The index is the headline; imported campaigns have only an average rating. */
function enpsMetric(locale: Locale, numbers: OverviewNumbers, filters: MetricFilters): OverviewMetric {
  const { t, format } = locale;
  const { total } = numbers;
  const metric = coveredMetric(locale, numbers, "enpsIndex", filters);
  const withoutRatings = total.settledCampaigns > 0 && noRatings(locale, total);
  if (withoutRatings) return { ...metric, ...withoutRatings };
  const mean = coveredRateOf(total, "enpsMean");
  if (mean.rate === null) return metric;
  const { ratings } = total;
  if (!metric.isText) return { ...metric, more: t("overview.ratings", { ratings }) };
  return {
    ...metric,
    value: t("overview.averageOf", { mean: format.mean(mean.rate) }),
    from: coverageText(locale, { ...mean, name: "enpsIndex" }),
    more: `${t("overview.ratings", { ratings })}, ${t("overview.noIndex")}`,
  };
}

/** What there is to say without ratings. Undefined if campaigns have some, or may have. */
function noRatings({ t }: Locale, total: Sums): Pick<OverviewMetric, "value" | "from"> | undefined {
  const { campaigns, surveyedCampaigns, unansweredCampaigns, maybeSurveyedCampaigns } = total;
  if (unansweredCampaigns < surveyedCampaigns) return undefined;
  if (surveyedCampaigns > 0)
    return { value: t("overview.none"), from: t("overview.noAnswersYet", { surveyed: surveyedCampaigns }) };
  if (maybeSurveyedCampaigns === 0) return { value: t("overview.none"), from: t("overview.noSurveys") };
  return {
    value: t("overview.unknown"),
    from: t("overview.surveysUnknown", {
      unknown: maybeSurveyedCampaigns,
      isPartial: maybeSurveyedCampaigns < campaigns,
    }),
  };
}

/** A card shows the value before below the change, instead of as a tooltip. */
function changeOf(changed: MetricChange | undefined): Pick<OverviewMetric, "change" | "before"> {
  if (!changed) return {};
  const { comparedWith: before, ...change } = changed;
  return { change, before };
}

function cardOf({ before, from, more, ...metric }: OverviewMetric): KeyMetric {
  return { ...metric, note: [before, from, more].filter(Boolean).join(" · ") };
}

/** The card of a rate. */
export const rateCard = (...of: Parameters<typeof coveredMetric>): KeyMetric => cardOf(coveredMetric(...of));

function coveredMetric(
  locale: Locale,
  numbers: ComparedTotals,
  name: NamedRate,
  { traffic, compare }: MetricFilters,
): OverviewMetric {
  const title = locale.t(`numbers.${name}`);
  const line = rateLineOf(numbers, name, traffic);
  const { rate } = line;
  return {
    name: title,
    value: rate
      ? rateWithRange(locale, name, rate.value, rangeOf(numbers.total, name))
      : locale.t("overview.none"),
    isText: rate === null,
    ...changeOf(changeSince(locale, line, compare)),
    from: coverageText(locale, line),
  };
}
