// The results of campaigns by a field, such as their teams: all groups, with the year before.

import { comparedSpan, type DateSpan } from "../../campaign/calendar/period.ts";
import type { SpreadSums } from "../../campaign/rate-ranges.ts";
import type { CoveredRateName } from "../../campaign/sum-rates.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { findSumsBy, type SumsKey } from "../../storage/sums/grouped-sums.ts";
import { findTotals } from "../../storage/sums/sum-queries.ts";
import type { SumsFilter } from "../../storage/sums/sums-filter.ts";
import type { BreakdownField } from "./overview-choices.ts";
import { shownSpan, spanOf } from "./overview-numbers.ts";
import { type FilterDefaults, type PageFilters, sumsFilterOf, todayOf } from "./page-filters.ts";

export interface BreakdownGroup {
  key: SumsKey;
  total: SpreadSums;
  /** Undefined if nothing is compared, or the group had no campaigns. */
  before: SpreadSums | undefined;
}

export interface Breakdown {
  /** Selects the campaigns. */
  filter: SumsFilter;
  groups: BreakdownGroup[];
  /** The sums of all campaigns that match. */
  total: SpreadSums;
  /** The same span as in the overview. */
  span: DateSpan | undefined;
  /** The dates of the year before. */
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
  const filter = await sumsFilterOf(scope, filters, defaults);
  const totals = await findTotals(scope, filter, rangedRates);
  const sent = spanOf(totals, defaults.timeZone);
  const compared = comparedSpan(filters.period, "year", todayOf(defaults));
  const filterBefore = compared && (await sumsFilterOf(scope, filters, defaults, compared));
  const before = filterBefore && (await findSumsBy(scope, filterBefore, by, ["openRate"]));
  const groups = (await findGroups(scope, filter, by)).map(({ key, total }) => ({
    key,
    total,
    before: before?.get(key),
  }));
  const span = shownSpan(filters, sent, defaults);
  return { filter, groups, total: totals.sums, span, compared };
}

/** The groups without the year before. @param ranged the rates whose ranges are shown */
export async function findGroups(
  scope: Scope,
  filter: SumsFilter,
  by: BreakdownField,
  ranged: readonly CoveredRateName[] = rangedRates,
): Promise<BreakdownGroup[]> {
  const sums = await findSumsBy(scope, filter, by, ranged);
  return [...sums].map(([key, total]) => ({ key, total, before: undefined }));
}

const groupsShown = 12;

/** Returns the groups with the most recipients. */
export const largestGroups = (groups: readonly BreakdownGroup[]): BreakdownGroup[] =>
  groups
    .toSorted((a, b) => b.total.recipients - a.total.recipients || b.total.campaigns - a.total.campaigns)
    .slice(0, groupsShown);
