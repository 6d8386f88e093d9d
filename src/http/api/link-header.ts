// Where the other pages are (RFC 8288), with the same filters.

import type { EmailsQuery } from "./emails-query.ts";

/** Proxies and clients accept heads of a few kilobytes; a filter of hundreds of tags would fill them several times. */
const lengthMax = 4_000;

/**
 * The content of a `Link` header; only the next page, or nothing, where all of them are too long.
 *
 * @param address of the endpoint, without a query string
 */
export function linkOf(address: string, query: EmailsQuery, totalPages: number): string | undefined {
  const filters = new URLSearchParams(query.filters).toString().replaceAll("%2C", ",");
  const start = `<${address}?${filters === "" ? "" : `${filters}&`}page=`;
  const link = (relation: string, page: number) =>
    `${start}${page}&per_page=${query.perPage}>; rel="${relation}"`;
  const next = query.page < totalPages ? [link("next", query.page + 1)] : [];
  const all = [
    link("first", 1),
    ...(query.page > 1 && totalPages > 0 ? [link("prev", Math.min(query.page - 1, totalPages))] : []),
    ...next,
    ...(totalPages > 0 ? [link("last", totalPages)] : []),
  ];
  return [all, next].map((links) => links.join(", ")).find((text) => text !== "" && text.length <= lengthMax);
}
