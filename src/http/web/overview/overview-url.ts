// The query parameters of the overview: the filters, how subjects are ranked, and by which field results are broken down.

import type { FilterOptions } from "../filters/filter-options.ts";
import { type FilterDefaults, filterQuery, type PageFilters, parseChoice } from "../filters/filters.ts";
import type { Locale } from "../locale.ts";

/** By their values in the URL. */
export const rankings = ["rate", "team"] as const;
type SubjectRanking = (typeof rankings)[number];

/** Fields by which campaigns differ, by their values in the URL. */
const breakdownFields = ["team", "tag", "sending_type"] as const;
export type BreakdownField = (typeof breakdownFields)[number];

/** What the overview shows, besides the filters. */
export interface OverviewView {
  ranking: SubjectRanking;
  /** Undefined if the organization has nothing to compare. */
  by: BreakdownField | undefined;
  /** The fields with several values in the organization. The first is the default. */
  fields: readonly BreakdownField[];
}

/** @throws AppError `bad_request` naming the label, the value and the accepted values */
export function parseView(locale: Locale, query: URLSearchParams, options: FilterOptions): OverviewView {
  const valuesOf = {
    ...{ team: options.teams, tag: options.tags },
    sending_type: options.sendingTypes,
  };
  const fields = breakdownFields.filter((field) => valuesOf[field].length > 1);
  return {
    ranking: parseChoice(locale, locale.t("overview.rankBy"), query.get("rank") ?? "", rankings) ?? "rate",
    by:
      parseChoice(locale, locale.t("overview.breakDownBy"), query.get("by") ?? "", breakdownFields) ??
      fields[0],
    fields,
  };
}

/** The query string of the overview, without defaults. */
export function overviewQuery(
  filters: PageFilters,
  { ranking, by, fields }: OverviewView,
  defaults: FilterDefaults,
): URLSearchParams {
  const query = filterQuery(filters, defaults);
  if (ranking !== "rate") query.set("rank", ranking);
  if (by !== undefined && by !== fields[0]) query.set("by", by);
  return query;
}
