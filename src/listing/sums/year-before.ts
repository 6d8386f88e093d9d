// The sums of a year before: beside the period before, a season looks like a success.

import { isoDay } from "../../campaign/calendar/calendar-date.ts";
import { comparedSpan } from "../../campaign/calendar/period.ts";
import type { Sums } from "../../campaign/sums.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { findTotals } from "../../storage/sums/sum-queries.ts";
import { type FilterDefaults, type PageFilters, sumsFilterOf, todayOf } from "./page-filters.ts";

/** Undefined if the period is not compared with a later one. */
export async function findYearBefore(
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
