// The number of a clicked link, a 53-bit hash. The upper bits identify the shown URL, the lower bits the full URL.

/**
 * 16 bits of the full URL. Two full URLs with the same shown URL collide once in 65,536 times and are then one link when
 * bursts are found.
 */
const fullUrlRange = 2 ** 16;

/**
 * 36 bits of the shown URL. Among 500 shown URLs two collide in one of half a million campaigns, and their clicks are
 * then counted under one of them.
 */
const shownUrlRange = 2 ** 36;

/** Keeps every row number above {@link otherLinks}. */
const base = 2 ** 52;

/** The row that has the clicks on all links without a row of their own. */
export const otherLinks = 0;

/** @param shown and full: hashes of both URLs in hex, at least twelve digits */
export function linkNumber(shown: string, full: string): number {
  const upper = Number.parseInt(shown.slice(0, 12), 16) % shownUrlRange;
  return base + upper * fullUrlRange + (Number.parseInt(full.slice(0, 12), 16) % fullUrlRange);
}

/** The row under which clicks on a link are counted: the same for all links with the same shown URL. */
export function linkRow(link: number): number {
  return Math.floor(link / fullUrlRange);
}
