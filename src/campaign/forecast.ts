// How a campaign that is still counting compares with earlier ones at the same age, and where its open rate will probably end.

import { dayMs, hourMs } from "./calendar/durations.ts";
import { ages, countUpTo } from "./events/ages.ts";
import {
  addSpreads,
  estimateRate,
  type Ranged,
  shareRange,
  spreadOf,
  usualRange,
  withRange,
} from "./ranges.ts";

/** A counted campaign with recipients, and their first opens and clicks by age. */
export interface AgedCampaign {
  id: number;
  sentAt: number;
  team: string | null;
  recipientCount: number;
  /** The opens of each span of age, as in a tally. */
  opensByAge: readonly number[];
  clicksByAge: readonly number[];
}

/** Opens after this age change the open rate by little. */
const finalAge = 14 * dayMs;
/** Campaigns that were sent earlier are no longer usual. */
const comparedMs = 365 * dayMs;
/** At a younger age, too few have opened for a range that holds. */
const firstAge = 3 * hourMs;
const minComparable = 5;
const maxComparable = 30;

/** When campaigns were sent that another one can be compared with, and how many it is compared with at most. */
export function comparableSpan({ sentAt }: Pick<AgedCampaign, "sentAt">, now: number) {
  return { from: sentAt - comparedMs, until: Math.min(sentAt, now - finalAge + 1), limit: maxComparable };
}

/**
 * The campaigns that another one is compared with at the same age: the newest before it that are final, of the same team
 * or, if those are too few, of all teams; none if those are too few as well.
 *
 * @param earlier newest first
 * @param now milliseconds since 1970
 */
export function findComparable(
  { sentAt, team }: Pick<AgedCampaign, "sentAt" | "team">,
  earlier: readonly AgedCampaign[],
  now: number,
): AgedCampaign[] {
  const { from, until } = comparableSpan({ sentAt }, now);
  const final = earlier.filter(
    (each) =>
      each.sentAt >= from &&
      each.sentAt < until &&
      each.recipientCount > 0 &&
      countUpTo(each.opensByAge, finalAge) > 0,
  );
  const ofTeam = team === null ? [] : final.filter((each) => each.team === team);
  const chosen = ofTeam.length >= minComparable ? ofTeam : final;
  return chosen.length >= minComparable ? chosen.slice(0, maxComparable) : [];
}

/**
 * The share of the recipients of all these campaigns who had opened or clicked up to an age, with the range that campaigns
 * are usually in; null without campaigns.
 */
export function usualRate(
  campaigns: readonly AgedCampaign[],
  name: "opensByAge" | "clicksByAge",
  age: number,
): Ranged | null {
  if (campaigns.length === 0) return null;
  const parts = campaigns.map((campaign) => ratePartsAt(campaign, name, age));
  const sum = { part: sumOf(parts.map(({ part }) => part)), whole: sumOf(parts.map(({ whole }) => whole)) };
  const spread = parts.map(({ part, whole }) => spreadOf(part, whole)).reduce(addSpreads);
  const estimate = estimateRate(sum, spread, 0);
  return withRange(sum.part / sum.whole, estimate ? usualRange(estimate) : shareRange(sum.part, sum.whole));
}

/** The open or click rate of a campaign up to an age, with its range. */
export function rateAt(campaign: AgedCampaign, name: "opensByAge" | "clicksByAge", age: number): Ranged {
  const { part, whole } = ratePartsAt(campaign, name, age);
  return withRange(part / whole, shareRange(part, whole));
}

/** Others than the recipients may open a campaign, so more may have opened it than there are recipients. */
function ratePartsAt(
  { recipientCount, ...campaign }: AgedCampaign,
  name: "opensByAge" | "clicksByAge",
  age: number,
): { part: number; whole: number } {
  return { part: Math.min(countUpTo(campaign[name], age), recipientCount), whole: recipientCount };
}

/** The open rate that campaigns will probably have two weeks after their sending: 80 % of such ranges hold. */
interface Forecast {
  low: number;
  high: number;
}

/** 80 % of a normal distribution are within so many standard errors. Ranges of rates have 95 %. */
const normalErrorsOf80 = 1.2815515655446004;

/** A campaign beside those that it is compared with. */
interface Forecastable {
  own: Pick<AgedCampaign, "recipientCount" | "opensByAge">;
  /** The last of the ages that the campaign has reached; undefined before the first. */
  age: number | undefined;
  comparable: readonly AgedCampaign[];
}

/**
 * Forecasts the open rate of campaigns together. Campaigns with the same comparable ones share the error of what these say on
 * average, so it does not shrink with their number. The sum is taken as lognormal, with the mean and the variance of the
 * parts (Fenton 1960), so that the forecast of one campaign is that of {@link estimateEnd}; the degrees of freedom are those of
 * Satterthwaite (1946).
 *
 * @returns undefined if one of them cannot be forecast, or all are younger than {@link firstAge}
 */
export function forecastOpens(campaigns: readonly Forecastable[]): Forecast | undefined {
  if (campaigns.every(({ age = 0 }) => age < firstAge)) return undefined;
  let [opens, recipients, mean, variance, freedom] = [0, 0, 0, 0, 0];
  for (const [newest, group] of Map.groupBy(campaigns, ({ comparable }) => comparable[0])) {
    if (!newest) return undefined;
    const degrees = (group[0]?.comparable.length ?? 0) - 1;
    let [own, common] = [0, 0];
    for (const each of group) {
      const end = estimateEnd(each);
      if (!end) return undefined;
      const { recipientCount, opensByAge } = each.own;
      const expected = recipientCount * Math.exp(end.mean + (end.own + end.common) / 2);
      mean += expected;
      own += expected ** 2 * Math.exp(end.common) * Math.expm1(end.own);
      common += expected * Math.sqrt(Math.expm1(end.common));
      recipients += recipientCount;
      opens += each.age === undefined ? 0 : countUpTo(opensByAge, each.age);
    }
    const ofGroup = own + common ** 2;
    variance += ofGroup;
    freedom += ofGroup ** 2 / degrees;
  }
  const logVariance = Math.log1p(variance / mean ** 2);
  const errors = studentErrorsOf80(freedom > 0 ? variance ** 2 / freedom : Infinity) * Math.sqrt(logVariance);
  const middle = Math.log(mean / recipients) - logVariance / 2;
  const rateAt = (logarithm: number) => Math.min(Math.max(Math.exp(logarithm), opens / recipients), 1);
  return { low: rateAt(middle - errors), high: rateAt(middle + errors) };
}

/**
 * Forecasts the logarithm of the open rate of a campaign from two estimates, each weighted by how exact it is: the opens up to
 * an age by the share of their opens that comparable campaigns had by then, and the open rates with which these ended. The
 * error of the first is that recipients are few, and that campaigns differ. Before {@link firstAge} only the second counts.
 *
 * @returns the mean, and the variances of the campaign's own error and of the one that campaigns with the same comparable
 *   ones have in common; undefined if no one has opened it
 */
function estimateEnd({ own: { recipientCount, opensByAge }, comparable, age = 0 }: Forecastable) {
  const finals = comparable.map((each) => countUpTo(each.opensByAge, finalAge));
  const rates = varianceOf(
    comparable.map((each, index) => Math.log((finals[index] ?? 0) / each.recipientCount)),
  );
  const finalRate = Math.exp(rates.mean);
  // Rates that happen to be equal still vary by chance.
  const chanceOfRate = Math.max(1 - finalRate, 0) / (finalRate * recipientCount);
  const spread = Math.max(rates.variance, chanceOfRate);
  const usual = { mean: rates.mean, variance: spread * (1 + 1 / comparable.length) };
  if (age < firstAge) {
    const common = spread / comparable.length;
    return { mean: usual.mean, own: spread, common };
  }
  const opens = countUpTo(opensByAge, age);
  if (opens === 0) return undefined;
  // Half an open more, so that a campaign without any by then has a logarithm.
  const shares = varianceOf(
    comparable.map((each, index) =>
      Math.log((countUpTo(each.opensByAge, age) + 0.5) / ((finals[index] ?? 0) + 0.5)),
    ),
  );
  const share = Math.exp(shares.mean);
  const chanceOf = (final: number) => Math.max(1 - share, 0) / (share * final);
  const betweenCampaigns = Math.max(shares.variance - meanOf(finals.map(chanceOf)), 0);
  const counted = {
    mean: Math.log(opens / recipientCount) - shares.mean,
    variance: betweenCampaigns + shares.variance / comparable.length + chanceOf(opens / share),
  };
  const weight = usual.variance / (counted.variance + usual.variance || 1);
  const variance = weight * counted.variance;
  const shared = weight ** 2 * shares.variance + (1 - weight) ** 2 * spread;
  const common = Math.min(shared / comparable.length, variance);
  return { mean: weight * counted.mean + (1 - weight) * usual.mean, own: variance - common, common };
}

function varianceOf(values: readonly number[]): { mean: number; variance: number } {
  const mean = meanOf(values);
  return { mean, variance: values.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (values.length - 1) };
}

/** Wider forecasts say nothing that helps. */
const maxHalfWidth = 0.08;

export function isNarrow({ low, high }: Forecast): boolean {
  return (high - low) / 2 <= maxHalfWidth;
}

const meanOf = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;

/**
 * Returns {@link normalErrorsOf80} for a spread that is known from a few, by the expansion of Cornish and
 * Fisher, for 4 degrees and more.
 */
function studentErrorsOf80(degrees: number): number {
  const z = normalErrorsOf80;
  return (
    z +
    (z ** 3 + z) / (4 * degrees) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * degrees ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * degrees ** 3)
  );
}

/** How many of the forecasts held that the service would have shown at an age. */
interface Accuracy {
  forecasts: number;
  held: number;
}

/**
 * Makes the forecast that each past campaign would have had at an age, from what was known then, and compares it with how
 * the campaign ended.
 *
 * @param campaigns newest first
 * @param now milliseconds since 1970
 */
export function testForecasts(campaigns: readonly AgedCampaign[], age: number, now: number): Accuracy {
  const accuracy: Accuracy = { forecasts: 0, held: 0 };
  for (const [index, campaign] of campaigns.entries()) {
    if (campaign.sentAt > now - finalAge) continue;
    const comparable = findComparable(campaign, campaigns.slice(index + 1), campaign.sentAt + age);
    const forecast = forecastOpens([{ own: campaign, comparable, age }]);
    if (!forecast || !isNarrow(forecast)) continue;
    const final =
      Math.min(countUpTo(campaign.opensByAge, finalAge), campaign.recipientCount) / campaign.recipientCount;
    accuracy.forecasts += 1;
    if (forecast.low <= final && final <= forecast.high) accuracy.held += 1;
  }
  return accuracy;
}

/**
 * The open rate of a campaign at each of the {@link ages} that it has reached, and once it has reached all, of now: first
 * unique opens up to the age as a share of the recipients, with its range. Beyond, null.
 */
export function openingCurve(campaign: AgedCampaign, now: number): (Ranged | null)[] {
  const reached = ages.filter((age) => campaign.sentAt + age <= now).length;
  return campaign.opensByAge.map((_, span) => {
    if (span < ages.length)
      return span < reached ? rateAt(campaign, "opensByAge", ages[span] as number) : null;
    return reached === ages.length ? rateNow(campaign) : null;
  });
}

/** The open rate of a campaign with all its opens, at whatever age, with its range. */
export function rateNow({ recipientCount, opensByAge }: AgedCampaign): Ranged {
  const opened = Math.min(sumOf(opensByAge), recipientCount);
  return withRange(opened / recipientCount, shareRange(opened, recipientCount));
}

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);

/** The last of the ages that a campaign has reached; undefined before the first. */
export function reachedAge(sentAt: number, now: number): number | undefined {
  return ages.findLast((age) => sentAt + age <= now);
}
