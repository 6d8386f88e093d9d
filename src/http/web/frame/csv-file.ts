// CSV files of what a page shows, for people who open them in a spreadsheet: a header in the words of the page with the
// unit of each column, and one unit for each kind of number.

import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { secondMs } from "../../../campaign/calendar/durations.ts";
import { zoneOffset } from "../../../campaign/calendar/time-zone.ts";
import { csvLine, escapeFormula } from "../../../formats/csv.ts";
import type { NumberMethod } from "../../../locale/rate-text.ts";
import type { PageColumn } from "../ui/lists/table.ts";
import type { FileContent } from "./page.ts";

/** What the header says behind the title, for any language. Counts and texts have no unit. */
export const csvUnits = {
  count: undefined,
  rate: "%",
  fineRate: "%",
  mean: "0…10",
  index: "−100…100",
} as const satisfies Record<NumberMethod, string | undefined>;

/** A time as spreadsheets read it, `2026-06-13 10:00:00`. The header has the time zone as its unit. */
export function csvTime(at: number | null, timeZone: string): string | null {
  if (at === null) return null;
  const wall = Math.floor((at + zoneOffset(at, timeZone)) / secondMs) * secondMs;
  return new Date(wall).toISOString().slice(0, "YYYY-MM-DDTHH:MM:SS".length).replace("T", " ");
}

/** Rates in percent, without the noise of binary fractions: 7 and not 7.000000000000001. Other numbers as they are. */
export function csvNumber(method: NumberMethod, number: number | null): number | null {
  return number === null || csvUnits[method] !== "%" ? number : Number((100 * number).toPrecision(15));
}

/** Without the mark, Excel does not read the file as UTF-8. */
const byteOrderMark = "\ufeff";

/**
 * @param file its name
 * @param batches of rows: each is written in one turn of the event loop. Formulas are escaped
 */
export function csvFile<Row>(
  file: string,
  columns: readonly PageColumn<Row>[],
  batches: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
): FileContent {
  return { file, type: "text/csv; charset=utf-8", body: Readable.from(csvLines(columns, batches)) };
}

async function* csvLines<Row>(
  columns: readonly PageColumn<Row>[],
  batches: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
): AsyncGenerator<string> {
  yield byteOrderMark + csvLine(columns.map((column) => escapeFormula(headerOf(column))));
  for await (const rows of batches) {
    yield rows.map((row) => csvLine(columns.map(({ csv }) => escapeFormula(csv(row) ?? null)))).join("");
    await nextTurn();
  }
}

/** The title of a column with its unit: `Open rate (%)`. Formulas and scripts name it with plain spaces. */
function headerOf({ title, unit }: Pick<PageColumn<never>, "title" | "unit">): string {
  const plain = title.replaceAll("\u00a0", " ");
  return unit === undefined ? plain : `${plain} (${unit})`;
}
