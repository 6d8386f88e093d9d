// A link to a page outside the application, such as one in a campaign.

import { type HtmlValue, html } from "../../html.ts";

/**
 * A URL that is truncated, or not http(s), is text and not a link. The protocol is left out, to save room.
 *
 * @param host that is left out too, if it is the host of the URL
 */
export function outsideLink(url: string, host = ""): HtmlValue {
  const rest = url.replace(/^https?:\/\//i, "");
  const shown = rest !== url && rest.startsWith(host) ? rest.slice(host.length) || "/" : rest;
  if (rest === url || url.includes("…")) return breakable(shown);
  return html`<a href="${url}" rel="noopener noreferrer nofollow">${breakable(shown)}</a>`;
}

/** A long URL wraps before its slashes. */
function breakable(url: string): HtmlValue {
  return url.split("/").map((part, index) => html`${index > 0 && html`<wbr>/`}${part}`);
}
