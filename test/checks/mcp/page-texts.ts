// What a page of the web application says, as texts: its tables and its key numbers.

const visuallyHidden = /<(span|caption) class="visually-hidden">.*?<\/\1>/gs;

/** The text that a reader sees. */
export function textIn(html: string): string {
  return html
    .replaceAll(visuallyHidden, "")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&amp;", "&")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** A row of a table: its HTML, the text of its header, and its cells by their labels, or by their positions. */
export interface PageRow {
  html: string;
  header: string;
  cells: string[];
  byLabel: Map<string, string>;
}

/** The rows of the body, or of the foot, of the first table in some HTML. */
export function rowsIn(html: string, part: "tbody" | "tfoot" = "tbody"): PageRow[] {
  const table = html.slice(html.indexOf("<table"));
  const body = new RegExp(`<${part}>(.*?)</${part}>`, "s").exec(table)?.[1] ?? "";
  return [...body.matchAll(/<tr.*?<\/tr>/gs)].map(([row]) => {
    const cells = [...row.matchAll(/<td([^>]*)>(.*?)<\/td>/gs)];
    const labels = cells.map(([, attributes = ""]) => /data-label="([^"]*)"/.exec(attributes)?.[1] ?? "");
    return {
      html: row,
      header: textIn(/<th scope="row".*?<\/th>/s.exec(row)?.[0] ?? ""),
      cells: cells.map(([cell]) => cell),
      byLabel: new Map(labels.map((label, index) => [textIn(label), cells[index]?.[0] ?? ""])),
    };
  });
}

/** The part of a page from a heading to the end of its card. */
export function cardOf(html: string, heading: string): string {
  const start = html.indexOf(`<h2>${heading}</h2>`);
  return start === -1 ? "" : html.slice(start, html.indexOf("</section>", start));
}

/** The key numbers of a page, by their names. */
export function keyNumbersIn(html: string): Map<string, { value: string; html: string }> {
  const list = /<ul class="metrics">(.*?)<\/ul>/s.exec(html)?.[1] ?? "";
  return new Map(
    [...list.matchAll(/<li>.*?<\/li>/gs)].map(([item]) => [
      textIn(/<span class="name">.*?<\/span>/s.exec(item)?.[0] ?? ""),
      { value: textIn(/<b[^>]*>.*?<\/b>/s.exec(item)?.[0] ?? ""), html: item },
    ]),
  );
}
