// Whether a form was sent from one of our own pages (Fetch Metadata, w3.org/TR/fetch-metadata; RFC 6454, section 7).

import type { FastifyRequest } from "fastify";

/**
 * True also for a client that sends neither header: it is no browser, or too old to tell. The origin `null`, which
 * sandboxed frames send, is a foreign one.
 *
 * @param publicUrl of the page that has the form
 */
export function isSameOrigin({ headers }: FastifyRequest, publicUrl: string): boolean {
  const { origin, host, "sec-fetch-site": site } = headers;
  // Browsers send Sec-Fetch-Site over HTTPS and to localhost only.
  if (site !== undefined) return site === "same-origin" || site === "none";
  if (origin === undefined) return true;
  // A proxy may replace the Host header or drop its port, so the public URL counts as well.
  const hosts = [host, new URL(publicUrl).host];
  return URL.canParse(origin) && hosts.includes(new URL(origin).host);
}
