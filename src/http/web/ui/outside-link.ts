// A link to a page outside the application, such as one in a campaign.

import { type HtmlValue, html } from "../../html.ts";

const protocol = /^https?:\/\//i;

/**
 * A URL that is truncated, or not http(s), is text and not a link. The protocol is left out, to save room.
 *
 * @param host that is left out too, if it is the host of the URL
 */
export function outsideLink(url: string, host = ""): HtmlValue {
  const rest = url.replace(protocol, "");
  const shown = rest !== url && rest.startsWith(host) ? rest.slice(host.length) || "/" : rest;
  if (!isLinkable(url)) return breakable(shown);
  return html`<a href="${url}" rel="noopener noreferrer nofollow">${breakable(shown)}</a>`;
}

/** Whether browsers can follow a URL: it has http(s), and is not truncated. */
export const isLinkable = (url: string): boolean => protocol.test(url) && !url.includes("…");

/** A URL as text, without its protocol. */
export const urlText = (url: string): HtmlValue => breakable(url.replace(protocol, ""));

/** A long URL wraps before its slashes. */
function breakable(url: string): HtmlValue {
  return html`<bdi dir="ltr" lang="">${url.split("/").map((part, index) => html`${index > 0 && html`<wbr>/`}${part}`)}</bdi>`;
}
