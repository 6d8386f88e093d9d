// Reads the key metrics and the tables of the overview page.

export const plain = (text: string) =>
  text
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/\s+/g, " ")
    .trim();

/** Without a wide range behind a rate. */
export const withoutRange = (text = "") => text.replace(/ \([\d–]+\)$/, "");

/** With plain spaces instead of the thin ones of `Intl`. */
export const spaced = (text: string) => text.replaceAll("\u2009", " ");

/** The key metrics by name: value, change, and what they are from. */
export function metricsIn(text: string): Record<string, string[]> {
  const list = /<ul class="metrics">(.*?)<\/ul>/s.exec(text)?.[1] ?? "";
  const metrics = list
    .split("</li>")
    .slice(0, -1)
    .map((metric) => {
      const [, name = "", value = "", change = "", from = ""] =
        /<span class="name">(.*?)<\/span>\s*<span class="value"><b[^>]*>(.*?)<\/b>(.*?)<\/span>\n(?:.*?<span class="from">(.*?)<\/span>)?/s.exec(
          metric,
        ) ?? [];
      return [name, [plain(value), plain(change), plain(from)]];
    });
  return Object.fromEntries(metrics);
}

/** The rows of a table, with the header. */
export function tableRows(text: string, caption: string): string[][] {
  const start = text.search(new RegExp(`<caption[^>]*>${caption}</caption>`));
  if (start < 0) return [];
  const table = text.slice(start, text.indexOf("</table>", start));
  return [...table.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd].*?<\/t[hd]>/gs)].map(([cell]) => plain(cell)),
  );
}
