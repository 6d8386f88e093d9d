// The link in the URL of its page.

import { paths } from "../../../paths.ts";

/** The link whose campaigns a request is about; empty if it is about all links. */
export function linkOf(query: URLSearchParams): string {
  return (query.get("link") ?? "").replaceAll("\0", "").toWellFormed();
}

/** @param query the filters of the page */
export function linkUrl(query: URLSearchParams, url: string): string {
  const own = new URLSearchParams(query);
  own.set("link", url);
  return `${paths.web.links}?${own}`;
}
