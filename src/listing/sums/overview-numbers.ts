// All numbers of the overview page that are sums over campaigns.

import { type Buckets, divide, divideAll, divideFiner, startsOf } from "../../campaign/calendar/buckets.ts";
import { type CalendarDate, dateAt, daysBetween } from "../../campaign/calendar/calendar-date.ts";
import { comparedSpan, type DateSpan, instantsOf } from "../../campaign/calendar/period.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import type { Ranged } from "../../campaign/ranges.ts";
import { rangedRateOf, type SpreadSums } from "../../campaign/rate-ranges.ts";
import {
  areComparable,
  type CoveredRateName,
  coveredRateOf,
  readRateParts,
} from "../../campaign/sum-rates.ts";
import { emptySums, type Sums } from "../../campaign/sums.ts";
import { findRates } from "../../storage/campaigns/find-values.ts";
import { findSumsBy, type SumsKey } from "../../storage/campaigns/grouped-sums.ts";
import { findSumsByPeriod, findTotals } from "../../storage/campaigns/sum-queries.ts";
import type { SumsFilter } from "../../storage/campaigns/sums-filter.ts";
import type { Queries } from "../../storage/database.ts";
import { type BestAndWorst, bestAndWorst, findRanked } from "./best-and-worst.ts";
import { toSumsFilter } from "./campaign-filter.ts";
import type { OverviewView } from "./overview-choices.ts";
import { chartMetrics } from "./overview-choices.ts";
import { type FilterDefaults, type PageFilters, toCampaignFilter, todayOf } from "./page-filters.ts";
import { findYearBefore } from "./year-before.ts";

export interface OverviewNumbers {
  /** Selects the campaigns. */
  filter: SumsFilter;
  /** The dates of the period until today; without its own, those of its first or last campaign. Undefined without campaigns. */
  span: DateSpan | undefined;
  total: SpreadSums;
  buckets: Buckets;
  /** Of each bucket. */
  trend: readonly SpreadSums[];
  /** Few campaigns, each with its rate; empty if they are many, or the chart shows no rate. */
  dots: readonly CampaignDot[];
  /** The period that it is compared with, if it had campaigns. */
  compared: Compared | undefined;
  /** The open rate a year before, if it is compared with the period before and that is another one; otherwise null. */
  yearBefore: number | null;
  /** By the field of the view, if it has one. */
  groups: CampaignGroups | undefined;
  ranked: BestAndWorst;
}

export interface CampaignDot {
  sentAt: number;
  team: string | null;
  rate: number;
  /** What the rate is a share of, such as recipients. */
  whole: number;
}

interface Compared {
  span: DateSpan;
  total: SpreadSums;
  /** Of its buckets, the first of which is compared with the first. */
  trend: readonly SpreadSums[];
}

export interface CampaignGroup {
  key: SumsKey;
  sums: SpreadSums;
}

interface CampaignGroups {
  /** Those with the most recipients, by their open rate. Groups without a rate are last. */
  shown: CampaignGroup[];
  /** The number of all groups. */
  of: number;
}

/** The rates of a group. */
export const brokenDownRates = ["openRate", "clickRate", "enpsIndex"] as const;
const totalRates = [...brokenDownRates, "clickToOpenRate", "readShare"] as const;

/** With more campaigns, the dots of single ones would cover the line. */
const maxDots = 60;

const groupsShown = 12;

const rankedShown = 5;

/** @param queries of one snapshot */
export async function computeOverview(
  queries: Queries,
  organizationId: number,
  filters: PageFilters,
  defaults: FilterDefaults,
  { chart, ranking, by }: OverviewView,
): Promise<OverviewNumbers> {
  const { traffic } = filters;
  const { timeZone } = defaults;
  const name = chartMetrics[chart];
  const filter = await toSumsFilter(queries, organizationId, toCampaignFilter(filters, defaults), traffic);
  const totals = await findTotals(queries, organizationId, filter, totalRates);
  const sent = spanOf(totals, timeZone);
  const ranked = await findRanked(queries, organizationId, filter, ranking);
  const { buckets, trend } = await findFullTrend(
    bucketsOf(filters, sent, defaults),
    todayOf(defaults),
    (buckets) => findTrend(queries, organizationId, filter, { buckets, timeZone, name }),
  );
  return {
    filter,
    span: shownSpan(filters, sent, defaults),
    total: totals.sums,
    buckets,
    trend,
    dots:
      name && totals.sums.campaigns <= maxDots ? await findDots(queries, organizationId, filter, name) : [],
    compared: await compare(queries, organizationId, filters, defaults, { unit: buckets.unit, name }),
    yearBefore: await findYearBefore(queries, organizationId, filters, defaults, totals.sums),
    groups: by && largest(await findSumsBy(queries, organizationId, filter, by, brokenDownRates)),
    ranked: bestAndWorst(ranked, rankedShown),
  };
}

/** A line through fewer points says little. */
const minFilled = 8;

/** Divides into smaller units, but not into days, if that gives enough buckets with campaigns. */
async function findFullTrend(
  buckets: Buckets,
  today: CalendarDate,
  find: (buckets: Buckets) => Promise<SpreadSums[]>,
): Promise<{ buckets: Buckets; trend: SpreadSums[] }> {
  const trend = await find(buckets);
  const isFull = (sums: readonly SpreadSums[]) =>
    sums.filter(({ campaigns }) => campaigns > 0).length >= minFilled;
  let smaller = isFull(trend) ? undefined : divideFiner(buckets, today);
  for (; smaller; smaller = divideFiner(smaller, today)) {
    const others = await find(smaller);
    if (isFull(others)) return { buckets: smaller, trend: others };
  }
  return { buckets, trend };
}

/** The sums of each bucket. */
async function findTrend(
  queries: Queries,
  organizationId: number,
  filter: SumsFilter,
  { buckets, timeZone, name }: { buckets: Buckets; timeZone: string; name: CoveredRateName | undefined },
): Promise<SpreadSums[]> {
  const starts = startsOf(buckets, timeZone);
  const found = await findSumsByPeriod(queries, organizationId, filter, starts, name ? [name] : []);
  return buckets.spans.map((_, index) => found.get(index) ?? { ...emptySums(), spreads: {} });
}

async function findDots(
  queries: Queries,
  organizationId: number,
  filter: SumsFilter,
  name: CoveredRateName,
): Promise<CampaignDot[]> {
  const found = await findRates(queries, organizationId, filter, [name]);
  return found.flatMap(({ sentAt, team, parts }) => {
    const { part, whole } = readRateParts(parts);
    return whole === 0 ? [] : [{ sentAt, team, rate: part / whole, whole }];
  });
}

export function bucketsOf(
  { period }: PageFilters,
  sent: DateSpan | undefined,
  defaults: FilterDefaults,
): Buckets {
  const today = todayOf(defaults);
  if (period.span) return divide(period.span, today);
  return sent ? divideAll(sent, today) : { unit: "month", spans: [] };
}

/** @param sent the dates of the first and the last campaign */
function shownSpan(
  { period }: PageFilters,
  sent: DateSpan | undefined,
  defaults: FilterDefaults,
): DateSpan | undefined {
  if (!sent || !period.span) return sent;
  const today = todayOf(defaults);
  const { first, last } = period.span;
  const hasStart = period.name !== undefined || period.from !== undefined;
  return { first: hasStart ? first : sent.first, last: daysBetween(today, last) > 0 ? today : last };
}

export function spanOf(
  { firstSentAt, lastSentAt }: { firstSentAt: number | null; lastSentAt: number | null },
  timeZone: string,
): DateSpan | undefined {
  if (firstSentAt === null || lastSentAt === null) return undefined;
  return { first: dateAt(firstSentAt, timeZone), last: dateAt(lastSentAt, timeZone) };
}

async function compare(
  queries: Queries,
  organizationId: number,
  filters: PageFilters,
  defaults: FilterDefaults,
  { unit, name }: Pick<Buckets, "unit"> & { name: CoveredRateName | undefined },
): Promise<Compared | undefined> {
  const { traffic, period, compare: comparison } = filters;
  const today = todayOf(defaults);
  const span = comparedSpan(period, comparison, today);
  if (!span) return undefined;
  const selected = { ...toCampaignFilter(filters, defaults), ...instantsOf(span, defaults.timeZone) };
  const filter = await toSumsFilter(queries, organizationId, selected, traffic);
  const { sums: total } = await findTotals(queries, organizationId, filter, totalRates);
  if (total.campaigns === 0) return undefined;
  const buckets = divide(span, today, unit);
  const { timeZone } = defaults;
  const trend = await findTrend(queries, organizationId, filter, { buckets, timeZone, name });
  return { span, total, trend };
}

function largest(sums: ReadonlyMap<CampaignGroup["key"], SpreadSums>): CampaignGroups {
  const rateOf = (each: Sums) => coveredRateOf(each, "openRate").rate ?? -1;
  const shown = [...sums]
    .map(([key, each]) => ({ key, sums: each }))
    .sort((a, b) => b.sums.recipients - a.sums.recipients || b.sums.campaigns - a.sums.campaigns)
    .slice(0, groupsShown)
    .sort((a, b) => rateOf(b.sums) - rateOf(a.sums));
  return { shown, of: sums.size };
}

/** A rate of the period, and of the one before if the two can be compared. */
export function findChange(
  { total, compared }: Pick<OverviewNumbers, "total" | "compared">,
  name: CoveredRateName,
  traffic: TrafficFilter,
): { rate: Ranged | null; before: Ranged | null } {
  const isComparable = compared && areComparable(total, compared.total, { name, traffic });
  return {
    rate: rangedRateOf(total, name),
    before: isComparable ? rangedRateOf(compared.total, name) : null,
  };
}
