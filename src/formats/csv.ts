// Writes CSV as RFC 4180 has it: CRLF, nothing for null, and `""` for empty text. With a decimal comma, cells are separated by
// semicolons, and a byte order mark tells spreadsheets the encoding.

import type { FeedRow, FeedTable } from "../campaign/feed/feed-tables.ts";
import type { FeedValues } from "../campaign/feed/feed-types.ts";
import type { RecordField } from "../campaign/record-fields.ts";

/** A header, then a line per row. Numbers have a decimal point; tags are as {@link formatTags} writes them. */
export async function* encodeCsv(
  { fields }: FeedTable,
  batches: AsyncIterable<readonly FeedRow[]>,
  { decimal }: { decimal?: "comma" | undefined },
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const columns = Object.entries(fields);
  const separator = decimal === "comma" ? ";" : ",";
  yield encoder.encode((decimal ? "\uFEFF" : "") + csvLine(Object.keys(fields), separator));
  for await (const rows of batches) {
    yield encoder.encode(rows.map((row) => rowLine(columns, row, separator)).join(""));
  }
}

function rowLine(columns: readonly [string, RecordField][], row: FeedRow, separator: string): string {
  const cells = columns.map(([name, { type }]) =>
    type === "tags" ? formatTags(row[name] as FeedValues["tags"]) : row[name],
  );
  return csvLine(cells, separator);
}

/** One line of a CSV file. `import` reads it back unchanged. */
export function csvLine(cells: readonly unknown[], separator = ","): string {
  return `${cells.map((cell) => csvCell(cell, separator)).join(separator)}\r\n`;
}

function csvCell(value: unknown, separator: string): string {
  if (value === null) return "";
  if (typeof value === "number") return separator === ";" ? String(value).replace(".", ",") : String(value);
  const text = String(value);
  return text === "" || /[",;\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Text that spreadsheet programs run as a formula, or may after they trimmed it. See OWASP, "CSV Injection". */
const formula = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/;

/** Puts an apostrophe before a formula, which makes it text in a spreadsheet. `import` does not remove it. */
export function escapeFormula(value: unknown): unknown {
  return typeof value === "string" && formula.test(value) ? `'${value}` : value;
}

/** `Name #RRGGBB;Name #RRGGBB`, with `;` and `\` in names escaped by a backslash; null without tags. */
export function formatTags(tags: readonly { name: string; color: string }[]): string | null {
  if (tags.length === 0) return null;
  return tags.map(({ name, color }) => `${name.replace(/[\\;]/g, "\\$&")} ${color}`).join(";");
}
