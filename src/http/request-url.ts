// Splits the URL of a request into path and query.

/** The path of a URL, still percent-encoded. */
export function pathOf(url: string): string {
  return url.split("?", 1)[0] ?? "";
}

export function queryOf(url: string): URLSearchParams {
  const start = url.indexOf("?");
  return new URLSearchParams(start < 0 ? "" : url.slice(start + 1));
}
