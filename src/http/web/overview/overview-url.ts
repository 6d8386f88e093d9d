// The query parameters of the overview: the filters, and how subjects are ranked.

import { type FilterDefaults, filterQuery, type PageFilters, parseChoice } from "../filters/filters.ts";
import type { Locale } from "../locale.ts";

/** By their values in the URL. */
export const rankings = ["rate", "team"] as const;
export type SubjectRanking = (typeof rankings)[number];

/** @throws AppError `bad_request` naming the label, the value and the accepted values */
export function parseRanking(locale: Locale, query: URLSearchParams): SubjectRanking {
  const label = locale.strings.overview.rankBy;
  return parseChoice(locale, label, query.get("rank") ?? "", rankings) ?? "rate";
}

/** The query string of the overview, without defaults. */
export function overviewQuery(
  filters: PageFilters,
  ranking: SubjectRanking,
  defaults: FilterDefaults,
): URLSearchParams {
  const query = filterQuery(filters, defaults);
  if (ranking !== "rate") query.set("rank", ranking);
  return query;
}
