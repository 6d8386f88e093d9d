// What a share link shows: a page that can be shared, with its own parameters. No other page can be named.

import { filterParameters } from "../../../listing/sums/filter-query.ts";
import { webPaths } from "../../../paths.ts";

export interface SharedView {
  /** The path of the page, as its route has it. */
  page: string;
  params: Record<string, string>;
  query: URLSearchParams;
  /** Path and query string. */
  url: string;
}

const sharable = [
  {
    pattern: /^\/$/,
    page: webPaths.overview,
    parameters: new Set<string>([...filterParameters, "chart", "rank", "comments"]),
  },
  {
    pattern: new RegExp(`^${webPaths.campaigns}/(?<id>[1-9]\\d{0,15})$`),
    page: `${webPaths.campaigns}/:id`,
    parameters: new Set(["tab", "traffic", "attribute", "comments"]),
  },
];

/**
 * Leaves out parameters that are not the page's own, such as the list that a campaign was opened from.
 *
 * @param url path and query string
 * @returns undefined unless the page can be shared
 */
export function parseSharedView(url: string): SharedView | undefined {
  const base = "http://here.invalid";
  const parsed = url.startsWith("/") && URL.canParse(url, base) ? new URL(url, base) : undefined;
  if (parsed?.origin !== base) return undefined;
  for (const { pattern, page, parameters } of sharable) {
    const match = pattern.exec(parsed.pathname);
    if (!match) continue;
    const own = [...parsed.searchParams].filter(([name, value]) => parameters.has(name) && value !== "");
    const query = new URLSearchParams(own);
    const path = parsed.pathname;
    return { page, params: { ...match.groups }, query, url: query.size > 0 ? `${path}?${query}` : path };
  }
  return undefined;
}
