// Reads pages as people do: their words, and the cells of their tables. Compares them with patterns.

import assert from "node:assert/strict";

/** The words of markup. */
export const textOf = (markup: string) =>
  markup
    .replaceAll("<wbr>", "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ")
    .replaceAll(" ,", ",")
    .trim();

/** The words of a page below its header and navigation. */
export const mainTextOf = (page: string) => textOf(page.slice(page.indexOf("<main")));

/** The words of each cell of the first table of a page, by row; of its body, or of its head or foot. */
export function rowsIn(page: string, part: "thead" | "tbody" | "tfoot" = "tbody"): string[][] {
  return rowsOfMarkup(new RegExp(`<${part}[^>]*>(.*?)</${part}>`, "s").exec(page)?.[1] ?? "");
}

/** The words of each cell of the table whose caption matches, by row, with its head and foot. */
export function rowsUnder(page: string, caption: string): string[][] {
  return rowsOfMarkup(new RegExp(`<caption[^>]*>${caption}</caption>.*?</table>`, "s").exec(page)?.[0] ?? "");
}

/** Finds the row of any table that starts with this cell. @returns its other cells */
export function rowOf(page: string, first: string): string[] {
  const row = rowsOfMarkup(page).find(([head]) => head === first);
  if (!row) throw new Error(`no row ${first}`);
  return row.slice(1);
}

/** Leaves out the boxes that select a row. */
const rowsOfMarkup = (markup: string) =>
  [...markup.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd](?! class="check").*?<\/t[hd]>/gs)].map(([cell]) => textOf(cell)),
  );

/** Fails unless the text matches each pattern. */
export function assertMatches(text: string, patterns: readonly RegExp[]): void {
  for (const pattern of patterns) assert.match(text, pattern);
}

/** Fails unless a page has this status and matches the pattern, or each of the patterns. */
export function assertPage(
  { status, text }: { status: number; text: string },
  expected: number,
  patterns: RegExp | readonly RegExp[],
  about?: string,
): void {
  assert.equal(status, expected, about ?? `status ${status}: ${text}`);
  for (const pattern of [patterns].flat()) assert.match(text, pattern);
}
