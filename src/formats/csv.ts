// Writes CSV as RFC 4180 has it: CRLF, no byte order mark, nothing for null, and `""` for empty text.

import { type FeedRecord, feedFieldNames } from "../campaign/feed/feed-fields.ts";

/** A header, then a line per record. Numbers have a decimal point; tags are as {@link formatTags} writes them. */
export async function* encodeCsv(
  batches: AsyncIterable<readonly FeedRecord[]>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  yield encoder.encode(csvLine(feedFieldNames));
  for await (const records of batches) {
    yield encoder.encode(records.map(feedLine).join(""));
  }
}

function feedLine(record: FeedRecord): string {
  return csvLine(Object.values({ ...record, tags: formatTags(record.tags) }));
}

/** One line of a CSV file. `import` reads it back unchanged. */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(value: unknown): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
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
