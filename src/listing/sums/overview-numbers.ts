// All numbers of the overview page that are sums over campaigns.

import { type Buckets, divide, divideAll, divideFiner, startsOf } from "../../campaign/calendar/buckets.ts";
import { type CalendarDate, dateAt, daysBetween, isoDay } from "../../campaign/calendar/calendar-date.ts";
import { comparedSpan, type DateSpan } from "../../campaign/calendar/period.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import type { Ranged } from "../../campaign/ranges.ts";
import { addUpSums, rateOfGroup, type SpreadSums } from "../../campaign/rate-ranges.ts";
import {
  areComparable,
  type CoveredRateName,
  coveredRateOf,
  readRateParts,
} from "../../campaign/sum-rates.ts";
import type { Sums } from "../../campaign/sums.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { findRates } from "../../storage/sums/find-values.ts";
import {
  findNewestIds,
  findSentSpan,
  findSumsByPeriod,
  findTotals,
  type SentSpan,
} from "../../storage/sums/sum-queries.ts";
import type { SumsFilter } from "../../storage/sums/sums-filter.ts";
import { type BestAndWorst, bestAndWorst, findRanked } from "./best-and-worst.ts";
import { chartMetrics, type OverviewView } from "./overview-choices.ts";
import { type FilterDefaults, type PageFilters, sumsFilterOf, todayOf } from "./page-filters.ts";

export interface OverviewNumbers extends Trend {
  /** Selects the campaigns. */
  filter: SumsFilter;
  /** The dates of the period until today; without its own, those of its first or last campaign. Undefined without campaigns. */
  span: DateSpan | undefined;
  buckets: Buckets;
  /** Few campaigns, each with its rate; empty if they are many, or the chart shows no rate. */
  dots: readonly CampaignDot[];
  /** The period that it is compared with, if it had campaigns. */
  compared: Compared | undefined;
  /** The sums of a year before, if the period is compared with the one before and that is another one. */
  yearBefore: Sums | undefined;
  ranked: BestAndWorst;
}

export interface CampaignDot {
  sentAt: number;
  rate: number;
  /** What the rate is a share of, such as recipients. */
  whole: number;
  /** It is still counting, so that the rate is that so far. */
  isFresh?: boolean;
}

/** The first bucket is compared with the first. */
interface Compared extends Trend {
  span: DateSpan;
  /** The day of its first campaign, if the organization had sent nothing until much of the period was over. */
  lateStart: CalendarDate | undefined;
}

const totalRates = [
  ...(["openRate", "clickRate", "enpsIndex", "clickToOpenRate", "readShare", "bounce_rate"] as const),
];

/** With more campaigns, the dots of single ones would cover the line. */
export const maxDots = 60;

const rankedShown = 5;

/** @param scope of one snapshot */
export async function computeOverview(
  scope: Scope,
  filters: PageFilters,
  defaults: FilterDefaults,
  { chart }: OverviewView,
): Promise<OverviewNumbers> {
  const { timeZone } = defaults;
  const name = chartMetrics[chart];
  const filter = await sumsFilterOf(scope, filters, defaults);
  const sent = spanOf(await findSentSpan(scope, filter), timeZone);
  const ranked = await findRanked(scope, filter);
  const { buckets, trend, total } = await findFullTrend(
    bucketsOf(filters, sent, defaults),
    lastDayOf(sent, defaults),
    (buckets) => findTrend(scope, filter, { buckets, timeZone }),
  );
  return {
    filter,
    span: shownSpan(filters, sent, defaults),
    total,
    buckets,
    trend,
    dots: name && total.campaigns <= maxDots ? await findDots(scope, filter, name) : [],
    compared: await compare(scope, filters, defaults, buckets.unit),
    yearBefore: await findYearBefore(scope, filters, defaults),
    ranked: bestAndWorst(ranked, rankedShown),
  };
}

/** A line through fewer points says little. */
const minFilled = 8;

/** Divides into smaller units, but not into days, if that gives enough buckets with campaigns. */
async function findFullTrend(
  buckets: Buckets,
  today: CalendarDate,
  find: (buckets: Buckets) => Promise<Trend>,
): Promise<Trend & { buckets: Buckets }> {
  const first = { ...(await find(buckets)), buckets };
  const isFull = ({ trend }: Trend) => trend.filter(({ campaigns }) => campaigns > 0).length >= minFilled;
  let smaller = isFull(first) ? undefined : divideFiner(buckets, today);
  for (; smaller; smaller = divideFiner(smaller, today)) {
    const others = await find(smaller);
    if (isFull(others)) return { ...others, buckets: smaller };
  }
  return first;
}

interface Trend {
  /** The sums of each bucket. */
  trend: readonly SpreadSums[];
  /** The sums with the campaigns before the first bucket: a very long period has its last years only. */
  total: SpreadSums;
}

async function findTrend(
  scope: Scope,
  filter: SumsFilter,
  { buckets, timeZone }: { buckets: Buckets; timeZone: string },
): Promise<Trend> {
  const starts = [Number.MIN_SAFE_INTEGER, ...startsOf(buckets.spans, timeZone)];
  const sumsByBucket = await findSumsByPeriod(scope, filter, starts, totalRates);
  const trend = buckets.spans.map((_, index) => sumsByBucket.get(index + 1) ?? addUpSums([]));
  return { trend, total: addUpSums(sumsByBucket.values()) };
}

async function findDots(scope: Scope, filter: SumsFilter, name: CoveredRateName): Promise<CampaignDot[]> {
  return (await findRates(scope, filter, [name])).flatMap(({ sentAt, parts }) => {
    const { part, whole } = readRateParts(parts);
    return whole === 0 ? [] : [{ sentAt, rate: part / whole, whole }];
  });
}

function bucketsOf({ period }: PageFilters, sent: DateSpan | undefined, defaults: FilterDefaults): Buckets {
  const today = lastDayOf(sent, defaults);
  if (period.span) return divide(period.span, today);
  return sent ? divideAll(sent, today) : { unit: "month", spans: [] };
}

/** Today, or the day of the last campaign: a clock that was ahead may have published one. */
function lastDayOf(sent: DateSpan | undefined, defaults: FilterDefaults): CalendarDate {
  const today = todayOf(defaults);
  return sent && daysBetween(today, sent.last) > 0 ? sent.last : today;
}

/** @param sent the dates of the first and the last campaign */
export function shownSpan(
  { period }: PageFilters,
  sent: DateSpan | undefined,
  defaults: FilterDefaults,
): DateSpan | undefined {
  if (!sent || !period.span) return sent;
  const today = lastDayOf(sent, defaults);
  const { first, last } = period.span;
  const hasStart = period.name !== undefined || period.from !== undefined;
  return { first: hasStart ? first : sent.first, last: daysBetween(today, last) > 0 ? today : last };
}

export function spanOf({ firstSentAt, lastSentAt }: SentSpan, timeZone: string): DateSpan | undefined {
  if (firstSentAt === null || lastSentAt === null) return undefined;
  return { first: dateAt(firstSentAt, timeZone), last: dateAt(lastSentAt, timeZone) };
}

async function compare(
  scope: Scope,
  filters: PageFilters,
  defaults: FilterDefaults,
  unit: Buckets["unit"],
): Promise<Compared | undefined> {
  const { period, compare: comparison } = filters;
  const today = todayOf(defaults);
  const span = comparedSpan(period, comparison, today);
  if (!span) return undefined;
  const filter = await sumsFilterOf(scope, filters, defaults, span);
  const buckets = divide(span, today, unit);
  const { timeZone } = defaults;
  const { trend, total } = await findTrend(scope, filter, { buckets, timeZone });
  if (total.campaigns === 0) return undefined;
  return { span, total, trend, lateStart: await findLateStart(scope, filter, timeZone) };
}

/** Where an import begins in the period, there was less time for campaigns in it. */
async function findLateStart(
  scope: Scope,
  filter: SumsFilter,
  timeZone: string,
): Promise<CalendarDate | undefined> {
  const { traffic, sentFrom = 0, sentUntil = 0 } = filter;
  const early = { traffic, sentUntil: Math.round(sentFrom + (sentUntil - sentFrom) / 5) };
  const isEarly = (await findNewestIds(scope, early, 1)).length > 0;
  return isEarly ? undefined : spanOf(await findSentSpan(scope, filter), timeZone)?.first;
}

/**
 * The sums of a year before: beside the period before, a season looks like a success. Undefined if the period is not compared
 * with a later one.
 */
async function findYearBefore(
  scope: Scope,
  filters: PageFilters,
  defaults: FilterDefaults,
): Promise<Sums | undefined> {
  const { period, compare } = filters;
  const today = todayOf(defaults);
  const [before, span] = [comparedSpan(period, "previous", today), comparedSpan(period, "year", today)];
  if (compare !== "previous" || !before || !span || isoDay(before.first) <= isoDay(span.first))
    return undefined;
  return (await findTotals(scope, await sumsFilterOf(scope, filters, defaults, span))).sums;
}

/** The sums of a period, and of the one that it is compared with. */
export interface ComparedTotals {
  total: SpreadSums;
  compared: { total: SpreadSums } | undefined;
  yearBefore?: Sums | undefined;
}

/** A change from fewer campaigns says little. */
export const minCompared = 5;

/** A rate of the period, as the overview and a report print it. */
export interface RateLine<Name extends CoveredRateName> {
  name: Name;
  rate: Ranged | null;
  /** That of the period before; null if there is none that it can be compared with, or it is of too few campaigns. */
  before: Ranged | null;
  /** That of a year before, if the period before is another one. */
  yearBefore: number | null;
  /** It comes from so many of the campaigns to which it applies. */
  from: number;
  of: number;
}

export function rateLineOf<Name extends CoveredRateName>(
  { total, compared, yearBefore }: ComparedTotals,
  name: Name,
  traffic: TrafficFilter,
): RateLine<Name> {
  const isReference = (sums: Sums | undefined) =>
    sums !== undefined &&
    coveredRateOf(sums, name).from >= minCompared &&
    areComparable(total, sums, { name, traffic });
  const { from, of } = coveredRateOf(total, name);
  const both = addUpSums(compared ? [total, compared.total] : [total]);
  return {
    name,
    rate: rateOfGroup(total, both, name),
    before: compared && isReference(compared.total) ? rateOfGroup(compared.total, both, name) : null,
    yearBefore: yearBefore && isReference(yearBefore) ? coveredRateOf(yearBefore, name).rate : null,
    from,
    of,
  };
}
