// The rates of one campaign, exactly from its counts. Records of the API have them rounded.

import type { Campaign } from "./campaign.ts";
import { deliveryCountsOf } from "./delivery/delivery-counts.ts";
import type { DeliveryRate } from "./delivery/delivery-fields.ts";
import { knownMetric } from "./known-metrics.ts";
import type { MetricName, ReportedMetrics, WithheldResults } from "./metrics.ts";
import type { Range } from "./ranges.ts";
import { rangeOf } from "./rate-ranges.ts";
import {
  type CoveredRateName,
  coveredRateOf,
  type RateParts,
  rateOfParts,
  ratePartsOf,
} from "./sum-rates.ts";
import { addCampaign, emptySums, type SummedCampaign, type Sums, summedMetrics } from "./sums.ts";

/** The metrics of a reported campaign that its rates come from. */
const ratedMetrics = [
  ...summedMetrics,
  "open_rate",
  "click_rate",
  "click_per_unique_open_rate",
] as const satisfies MetricName[];

/** A campaign with the tally of one traffic. */
interface RatedCampaign extends SummedCampaign {
  numbers:
    | ({ reported: Pick<ReportedMetrics, RateMetricName> } & WithheldResults)
    | Extract<SummedCampaign["numbers"], { tally: unknown }>;
}

type RateMetricName = (typeof ratedMetrics)[number];

/** How the metric of a rate is divided to be a share of 1. */
interface RateMetric {
  metric: RateMetricName;
  divisor: number;
}

/** The metric of records that is a rate. Records lack the eNPS index. */
const rateMetrics: Readonly<Record<Exclude<CoveredRateName, "enpsIndex" | DeliveryRate>, RateMetric>> = {
  openRate: { metric: "open_rate", divisor: 1 },
  clickRate: { metric: "click_rate", divisor: 1 },
  clickToOpenRate: { metric: "click_per_unique_open_rate", divisor: 100 },
  desktopShare: { metric: "desktop_open_rate", divisor: 100 },
  mobileShare: { metric: "mobile_open_rate", divisor: 100 },
  glancedShare: { metric: "read_time_glanced", divisor: 100 },
  skimmedShare: { metric: "read_time_skimmed", divisor: 100 },
  readShare: { metric: "read_time_read", divisor: 100 },
  enpsMean: { metric: "enps_score_average", divisor: 1 },
};

/** The rate that a metric of records is; undefined for counts. */
export function rateOfMetric(name: MetricName): CoveredRateName | undefined {
  const rates = Object.keys(rateMetrics) as (keyof typeof rateMetrics)[];
  return rates.find((each) => rateMetrics[each].metric === name);
}

/** The sums of one campaign, so that its rates are defined like those of many. */
export function sumsOfCampaign(campaign: SummedCampaign): Sums {
  const sums = emptySums();
  addCampaign(sums, campaign);
  return sums;
}

/** The metric of an imported record that is a rate; undefined if records lack it. */
export function givenRate(name: CoveredRateName): RateMetric | undefined {
  return Object.hasOwn(rateMetrics, name) ? rateMetrics[name as keyof typeof rateMetrics] : undefined;
}

/**
 * A rate of one campaign, in the units of {@link coveredRateOf}; null if it is not known, or a rate of nothing. A reported
 * campaign without the counts has the rate that was imported.
 */
export function campaignRate(campaign: RatedCampaign, name: CoveredRateName): number | null {
  const { numbers, recipientCount } = campaign;
  const parts = ratePartsOf(sumsOfCampaign(campaign), name);
  const given = "reported" in numbers ? givenRate(name) : undefined;
  const value =
    given && "reported" in numbers ? knownMetric(given.metric, numbers.reported, recipientCount) : null;
  return rateOrGiven(name, parts, value);
}

/** The range of a rate of one campaign; null if the counts are not known. */
export function campaignRange(campaign: SummedCampaign, name: CoveredRateName): Range | null {
  return rangeOf(sumsOfCampaign(campaign), name);
}

/** @param value of the metric of {@link givenRate} in an imported record; null for a counted campaign */
export function rateOrGiven(name: CoveredRateName, parts: RateParts, value: number | null): number | null {
  const rate = rateOfParts(parts);
  const divisor = givenRate(name)?.divisor ?? 1;
  const given = value === null ? null : value / divisor;
  // An imported average is exact; from the sum of its scores it would differ in the last digit.
  return name === "enpsMean" ? (given ?? rate) : (rate ?? given);
}

/** Rates that the counts of a record give too. */
const ratesOfCounts = ["openRate", "clickRate", "clickToOpenRate"] as const;

/** Rounding to whole percents does not explain a larger difference. */
const tolerance = 0.01;

/** The rates of an imported record that differ from those of its own counts, which pages show instead; and `sent`. */
export function contradictedRates(
  { recipientCount, surveysCount }: Campaign,
  reported: ReportedMetrics,
): (RateMetricName | "sent")[] {
  const { sent, delivered, bounced } = deliveryCountsOf({ reported }, recipientCount);
  const isOther =
    reported.sent != null && delivered !== null && bounced !== null && delivered + bounced !== sent;
  const sums = sumsOfCampaign({ recipientCount, surveysCount, numbers: { reported } });
  const rates = ratesOfCounts.flatMap((name) => {
    const { metric, divisor } = rateMetrics[name];
    const { rate } = coveredRateOf(sums, name);
    const given = reported[metric];
    const differs = rate !== null && given !== null && Math.abs(given / divisor - rate) > tolerance;
    return differs ? [metric] : [];
  });
  return isOther ? [...rates, "sent"] : rates;
}
