// What the navigation keeps of a URL.

import { filterParameters } from "../../../listing/sums/filter-query.ts";

/** The parameters that lead from one page over many campaigns to the others. A search belongs to its page. */
const carried: ReadonlySet<string> = new Set(filterParameters.filter((name) => name !== "q"));

/** @param query of a page with filters, or with the list that it was opened from */
export function carriedQuery(query: URLSearchParams): URLSearchParams {
  const list = query.get("list");
  // The list of a campaign's page leaves out the traffic, because the page has its own.
  const traffic =
    list === null ? [] : query.getAll("traffic").map((value): [string, string] => ["traffic", value]);
  const given = [...new URLSearchParams(list ?? query), ...traffic];
  return new URLSearchParams(given.filter(([name, value]) => carried.has(name) && value !== ""));
}
