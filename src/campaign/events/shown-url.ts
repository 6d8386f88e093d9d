// The part of a link's address that is kept of a campaign: where it leads, without what may say whose it is.

/** Characters of it, with the ellipsis where it is cut. */
const lengthMax = 1_000;

/**
 * An at sign with something on both sides: as it is, full width or small, and escaped once or several times. What stands
 * between two slashes is looked at by itself, so that a long address takes no longer than its length.
 */
const personal = /.(?:[@\uff20\ufe6b]|%(?:25)*40|%(?:25)*EF%(?:25)*(?:BC%(?:25)*A0|B9%(?:25)*AB))./is;

/**
 * Without query, fragment, user and password; in place of an address of a person stands an ellipsis, and in place of what
 * is too long. What has one leads nowhere any more.
 */
export function shownUrl(url: string): string {
  const parts = bare(url).split("/");
  const shown = parts.map((part) => (personal.test(part) ? "…" : part)).join("/");
  if (shown.length <= lengthMax) return shown.toWellFormed();
  // Half a character would be left over.
  return `${shown.slice(0, lengthMax - 1).replace(/[\ud800-\udbff]$/, "")}…`.toWellFormed();
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
