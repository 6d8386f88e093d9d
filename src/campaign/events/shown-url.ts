// The part of a link's URL that a campaign stores and shows: without anything that may identify a recipient.

/** The longest URL, including the ellipsis of a truncated one. */
const maxLength = 1_000;

/**
 * Matches an email address: an at sign (ASCII, full-width or small; possibly percent-encoded several times) with text on
 * both sides. It is applied to each path segment alone, so that its time stays linear.
 */
const emailAddress = /.(?:[@\uff20\ufe6b]|%(?:25)*40|%(?:25)*EF%(?:25)*(?:BC%(?:25)*A0|B9%(?:25)*AB))./is;

/**
 * The URL without query, fragment, user and password. An ellipsis replaces path segments that contain an email address,
 * and the end of a long URL. A URL with an ellipsis is no longer valid.
 */
export function shownUrl(url: string): string {
  const segments = stripUrl(url).split("/");
  const shown = segments.map((segment) => (emailAddress.test(segment) ? "…" : segment)).join("/");
  if (shown.length <= maxLength) return shown.toWellFormed();
  // The cut may leave half of a surrogate pair.
  return `${shown.slice(0, maxLength - 1).replace(/[\ud800-\udbff]$/, "")}…`.toWellFormed();
}

function stripUrl(url: string): string {
  const parsed = URL.parse(url);
  // Browsers cannot follow an invalid URL, so it is only cut as text.
  if (!parsed) return (url.split(/[?#]/, 1)[0] ?? "").replaceAll("\0", "").trim();
  parsed.username = "";
  parsed.password = "";
  parsed.search = "";
  parsed.hash = "";
  return parsed.href;
}
