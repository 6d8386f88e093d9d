// The URL of the page of one link.

import { paths } from "../../paths.ts";

/** @param query the filters of the page */
export function linkUrl(query: URLSearchParams, url: string): string {
  const own = new URLSearchParams(query);
  own.set("link", url);
  return `${paths.web.links}?${own}`;
}
