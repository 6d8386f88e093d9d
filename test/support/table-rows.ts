// Reads tables of pages.

/** The words of markup. */
export const textOf = (markup: string) =>
  markup
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ")
    .trim();

/** The words of each cell of the first table of a page, by row. */
export function rowsIn(text: string): string[][] {
  const table = /<tbody[^>]*>(.*?)<\/tbody>/s.exec(text)?.[1] ?? "";
  return [...table.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd].*?<\/t[hd]>/gs)].map(([cell]) => textOf(cell)),
  );
}
