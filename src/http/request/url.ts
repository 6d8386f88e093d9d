// Splits the URL of a request into path and query.

/** Matches no credentials, which a request must not have before its host (RFC 9110, section 4.2.4). */
const schemeAndHost = /^https?:\/\/[^/?#@]+(?=[/?#]|$)/i;

/**
 * Returns a request target without its scheme and host. Clients of proxies send `http://host/path`, which a server must
 * accept (RFC 9112, section 3.2.2). Any other target is returned as it is.
 */
export function toOriginForm(target: string): string {
  if (target.startsWith("/")) return target;
  const [prefix] = schemeAndHost.exec(target) ?? [];
  if (prefix === undefined || !URL.canParse(prefix)) return target;
  const rest = target.slice(prefix.length);
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/** The path of a URL, still percent-encoded. */
export function pathOf(url: string): string {
  return url.split("?", 1)[0] ?? "";
}

/** The query string of a URL, without `?` and still percent-encoded. */
export function queryStringOf(url: string): string {
  const start = url.indexOf("?");
  return start < 0 ? "" : url.slice(start + 1);
}

export function queryOf(url: string): URLSearchParams {
  return new URLSearchParams(queryStringOf(url));
}
