// The results of campaigns by a field, such as their teams: all groups, with their trend and the period before.

import { type Buckets, startsOf } from "../../campaign/calendar/buckets.ts";
import { comparedSpan, type DateSpan, instantsOf } from "../../campaign/calendar/period.ts";
import type { SpreadSums } from "../../campaign/rate-ranges.ts";
import type { CoveredRateName } from "../../campaign/sum-rates.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { findOpensBy, findSumsBy, type SumsKey } from "../../storage/sums/grouped-sums.ts";
import { findTotals } from "../../storage/sums/sum-queries.ts";
import type { SumsFilter } from "../../storage/sums/sums-filter.ts";
import { toSumsFilter } from "./campaign-filter.ts";
import type { BreakdownField } from "./overview-choices.ts";
import { bucketsOf, shownSpan, spanOf } from "./overview-numbers.ts";
import { type FilterDefaults, type PageFilters, toCampaignFilter, todayOf } from "./page-filters.ts";

export interface BreakdownGroup {
  key: SumsKey;
  total: SpreadSums;
  /** Undefined if nothing is compared, or the group had no campaigns. */
  before: SpreadSums | undefined;
  /** The open rate of each bucket; null without one. */
  trend: (number | null)[];
}

export interface Breakdown {
  groups: BreakdownGroup[];
  /** The sums of all campaigns that match. */
  total: SpreadSums;
  /** The same span as in the overview. */
  span: DateSpan | undefined;
  unit: Buckets["unit"];
  /** The period that it is compared with. */
  compared: DateSpan | undefined;
}

/** The rates whose ranges pages show. */
const rangedRates = ["openRate", "clickRate", "readShare", "enpsIndex"] as const satisfies CoveredRateName[];

/** @param scope of one snapshot */
export async function computeBreakdown(
  scope: Scope,
  { filters, by }: { filters: PageFilters; by: BreakdownField },
  defaults: FilterDefaults,
): Promise<Breakdown> {
  const { traffic } = filters;
  const filter = await toSumsFilter(scope, toCampaignFilter(filters, defaults), traffic);
  const totals = await findTotals(scope, filter, rangedRates);
  const sent = spanOf(totals, defaults.timeZone);
  const buckets = bucketsOf(filters, sent, defaults);
  const opens = await findOpensBy(scope, filter, by);
  const trends = trendsOf(opens, startsOf(buckets, defaults.timeZone));
  const compared = comparedSpan(filters.period, filters.compare, todayOf(defaults));
  const before = compared && (await findBefore(scope, { filters, by, compared }, defaults));
  const groups = (await findGroups(scope, filter, by)).map(({ key, total }) => ({
    key,
    total,
    before: before?.get(key),
    trend: trends.get(key) ?? [],
  }));
  const span = shownSpan(filters, sent, defaults);
  return { groups, total: totals.sums, span, unit: buckets.unit, compared };
}

/** The groups without their trend and without the period before. */
export async function findGroups(
  scope: Scope,
  filter: SumsFilter,
  by: BreakdownField,
): Promise<BreakdownGroup[]> {
  const sums = await findSumsBy(scope, filter, by, rangedRates);
  return [...sums].map(([key, total]) => ({ key, total, before: undefined, trend: [] }));
}

const groupsShown = 12;

/** Returns the groups with the most recipients. */
export const largestGroups = (groups: readonly BreakdownGroup[]): BreakdownGroup[] =>
  groups
    .toSorted((a, b) => b.total.recipients - a.total.recipients || b.total.campaigns - a.total.campaigns)
    .slice(0, groupsShown);

async function findBefore(
  scope: Scope,
  { filters, by, compared }: { filters: PageFilters; by: BreakdownField; compared: DateSpan },
  defaults: FilterDefaults,
): Promise<Map<SumsKey, SpreadSums>> {
  const selected = { ...toCampaignFilter(filters, defaults), ...instantsOf(compared, defaults.timeZone) };
  const filter = await toSumsFilter(scope, selected, filters.traffic);
  return findSumsBy(scope, filter, by, ["openRate"]);
}

/** @param starts of each bucket, and the end of the last */
function trendsOf(
  opens: Awaited<ReturnType<typeof findOpensBy>>,
  starts: readonly number[],
): Map<SumsKey, (number | null)[]> {
  const trends = new Map<SumsKey, { part: number; whole: number }[]>();
  for (const { key, sentAt, part, whole } of opens) {
    const buckets = trends.get(key) ?? starts.slice(0, -1).map(() => ({ part: 0, whole: 0 }));
    trends.set(key, buckets);
    const bucket = buckets[starts.findLastIndex((start) => start <= sentAt)];
    if (!bucket) continue;
    bucket.part += part;
    bucket.whole += whole;
  }
  const rateOf = ({ part, whole }: { part: number; whole: number }) => (whole === 0 ? null : part / whole);
  return new Map([...trends].map(([key, buckets]) => [key, buckets.map(rateOf)]));
}
