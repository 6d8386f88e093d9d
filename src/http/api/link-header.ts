// The Link header for pagination (RFC 8288): URLs of other pages with the same filters.

import { paths } from "../../paths.ts";
import type { EmailsQuery } from "./emails-query.ts";

/** The link to the JSON Schema of a feed record (RFC 8288). */
export const schemaLink = (publicUrl: string) => `<${publicUrl}${paths.api.recordSchema}>; rel="describedby"`;

/** Proxies and clients accept headers of a few kilobytes. A filter of hundreds of tags, several times, has more. */
const maxLength = 4_000;

/**
 * Returns the links to the pages `first`, `prev`, `next` and `last`. If they are too long together, returns `next` alone,
 * or undefined.
 *
 * @param url of the endpoint, without a query string
 */
export function linkOf(url: string, query: EmailsQuery, totalPages: number): string | undefined {
  const filters = new URLSearchParams(query.filters).toString().replaceAll("%2C", ",");
  const start = `<${url}?${filters === "" ? "" : `${filters}&`}page=`;
  const link = (relation: string, page: number) =>
    `${start}${page}&per_page=${query.perPage}>; rel="${relation}"`;
  const next = query.page < totalPages ? [link("next", query.page + 1)] : [];
  const all = [
    link("first", 1),
    ...(query.page > 1 && totalPages > 0 ? [link("prev", Math.min(query.page - 1, totalPages))] : []),
    ...next,
    ...(totalPages > 0 ? [link("last", totalPages)] : []),
  ];
  return [all, next].map((links) => links.join(", ")).find((text) => text !== "" && text.length <= maxLength);
}
