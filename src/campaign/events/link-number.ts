// The number that stands for the link of a click: which address of those that are shown, and which whole one of it.

/** For the whole address: 16 bits. Two of one shown address share them once in 65,536 times, and are one link to a burst. */
const wholeParts = 2 ** 16;

/** 36 bits. Of 500 shown addresses two share them once in half a million campaigns, and are counted under one of them. */
const shownParts = 2 ** 36;

/** Keeps every row number above {@link otherLinks}. */
const first = 2 ** 52;

/** The row of all other links. */
export const otherLinks = 0;

/** @param shown and whole: hashes of both as hexadecimal digits, twelve or more */
export function linkNumber(shown: string, whole: string): number {
  const upper = Number.parseInt(shown.slice(0, 12), 16) % shownParts;
  return first + upper * wholeParts + (Number.parseInt(whole.slice(0, 12), 16) % wholeParts);
}

/** What clicks on a link are counted under: the same number for all links that are shown alike. */
export function linkRow(link: number): number {
  return Math.floor(link / wholeParts);
}
