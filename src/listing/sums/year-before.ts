// The open rate a year before: beside the period before, a season looks like a success.

import { isoDay } from "../../campaign/calendar/calendar-date.ts";
import { comparedSpan, instantsOf } from "../../campaign/calendar/period.ts";
import { areComparable, coveredRateOf } from "../../campaign/sum-rates.ts";
import type { Sums } from "../../campaign/sums.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { findTotals } from "../../storage/sums/sum-queries.ts";
import { toSumsFilter } from "./campaign-filter.ts";
import { type FilterDefaults, type PageFilters, toCampaignFilter, todayOf } from "./page-filters.ts";

/** Null if it cannot be compared, or the period is not compared with a later one. @param total of the period */
export async function findYearBefore(
  scope: Scope,
  filters: PageFilters,
  defaults: FilterDefaults,
  total: Sums,
): Promise<number | null> {
  const { traffic, period, compare } = filters;
  const today = todayOf(defaults);
  const [before, span] = [comparedSpan(period, "previous", today), comparedSpan(period, "year", today)];
  if (compare !== "previous" || !before || !span || isoDay(before.first) <= isoDay(span.first)) return null;
  const selected = { ...toCampaignFilter(filters, defaults), ...instantsOf(span, defaults.timeZone) };
  const filter = await toSumsFilter(scope, selected, traffic);
  const { sums } = await findTotals(scope, filter);
  return areComparable(total, sums, { name: "openRate", traffic })
    ? coveredRateOf(sums, "openRate").rate
    : null;
}
