// The part of a link's address that is kept of a campaign: where it leads, without what may say whose it is.

/** Characters of it. */
const lengthMax = 1_000;

/** A part of a path with somebody's address in it. */
const personal = /[^/@]+(?:@|%40)[^/@]+/gi;

/** Without query, fragment, user and password; in place of an address of a person stands an ellipsis. */
export function shownAddress(url: string): string {
  return bare(url).replace(personal, "…").slice(0, lengthMax).toWellFormed();
}

function bare(url: string): string {
  const parsed = URL.parse(url);
  // No browser can follow it: it is cut as a text.
  if (!parsed) return (url.split(/[?#]/, 1)[0] ?? "").replaceAll("\0", "").trim();
  parsed.username = "";
  parsed.password = "";
  parsed.search = "";
  parsed.hash = "";
  return parsed.href;
}
