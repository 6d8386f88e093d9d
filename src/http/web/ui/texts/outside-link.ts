// URLs outside the application, such as the links of a campaign, as text.

import { type Html, type HtmlValue, html, joinHtml } from "../../../../locale/html.ts";
import { isolate, isolatedText } from "../../../../locale/isolated-text.ts";

const protocol = /^https?:\/\//i;

/** Whether browsers can follow a URL: it has http(s), and is not truncated. */
const isLinkable = (url: string): boolean => protocol.test(url) && !url.includes("…");

/**
 * A URL without its protocol, as a link where browsers can follow it.
 *
 * @param host that is left out too, if it is the host of the URL
 */
export function outsideLink(url: string, host?: string): Html {
  const [text, tooltip] = [urlText(url, host), url.length > 40 && html` title="${urlTitle(url)}"`];
  return isLinkable(url)
    ? html`<a href="${url}" rel="noopener noreferrer nofollow"${tooltip}>${text}</a>`
    : html`<span${tooltip}>${text}</span>`;
}

function urlText(url: string, host = ""): HtmlValue {
  const rest = url.replace(protocol, "");
  return breakable(rest !== url && rest.startsWith(host) ? rest.slice(host.length) || "/" : rest);
}

/** A URL without its protocol, with letters instead of their percent-encoding. */
const urlTitle = (url: string): string => isolate(readable(url.replace(protocol, "")));

/** A long URL wraps before its slashes. Letters from right to left do not change the order of its parts. */
function breakable(url: string): HtmlValue {
  const parts = readable(url)
    .split("/")
    .map((part) => (isolate(part) === part ? part : isolatedText(part)));
  return html`<bdi dir="ltr" lang="">${joinHtml(parts, html`<wbr>/`)}</bdi>`;
}

/** Neither letters with their marks nor digits, or invisible. */
const unreadable = /(?<![\p{L}\p{M}\p{N}])\p{M}|[^\p{L}\p{M}\p{N}]|\p{DI}/gu;

/** Decodes letters and digits outside of ASCII. Everything that could hide or look like a part of the URL stays encoded. */
function readable(url: string): string {
  return url.replace(/(?:%[89a-f][\da-f])+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded).replace(unreadable, encodeURIComponent);
    } catch {
      return encoded;
    }
  });
}

/** The host of all http(s) URLs, if they have the same one; the links then show only their paths. */
export function commonHost(urls: readonly string[]): string | undefined {
  const hosts = new Set(urls.filter((url) => url !== "").map((url) => /^https?:\/\/([^/]+)/i.exec(url)?.[1]));
  const [host] = hosts;
  return hosts.size === 1 ? host : undefined;
}
