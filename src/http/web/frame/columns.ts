// Columns that a page's table and its CSV file share: names, times, numbers and rates, each with its unit in the header of the file.

import type { SpreadSums } from "../../../campaign/rate-ranges.ts";
import { type CoveredRateName, coveredRateOf } from "../../../campaign/sum-rates.ts";
import type { Sums } from "../../../campaign/sums.ts";
import { html } from "../../../locale/html.ts";
import type { Locale } from "../../../locale/locale.ts";
import { methodOfRate, type NumberMethod } from "../../../locale/rate-text.ts";
import { rateText } from "../ui/lists/group-cells.ts";
import { type PageColumn, withBar } from "../ui/lists/table.ts";
import { numberOrDash } from "../ui/numbers/number-or-dash.ts";
import { csvNumber, csvTime, csvUnits } from "./csv-file.ts";
import type { WebSession } from "./page.ts";

/** Names may be of any language, so their direction is isolated. */
export function nameColumn<Row>(title: string, name: (row: Row) => string): PageColumn<Row> {
  return { title, className: "text", csv: name, cell: (row) => html`<bdi>${name(row)}</bdi>` };
}

/** The table has times to the minute, the file to the second. */
export function timeColumn<Row>(
  { organization: { timeZone }, format }: WebSession,
  title: string,
  time: (row: Row) => number | null,
): PageColumn<Row> {
  return {
    title,
    unit: timeZone,
    csv: (row) => csvTime(time(row), timeZone),
    cell(row) {
      const at = time(row);
      return at === null ? null : format.dateTime(at, timeZone);
    },
  };
}

export function numberColumn<Row>(
  locale: Locale,
  title: string,
  method: NumberMethod,
  number: (row: Row) => number | null,
): PageColumn<Row> {
  return {
    title,
    unit: csvUnits[method],
    className: "number",
    csv: (row) => csvNumber(method, number(row)),
    cell: (row) => numberOrDash(locale, method, number(row)),
  };
}

/** Draws a bar beside each count. @param most the count with the longest bar */
export function barColumn<Row>(
  locale: Locale,
  title: string,
  most: number | undefined,
  count: (row: Row) => number,
): PageColumn<Row> {
  return {
    ...numberColumn(locale, title, "count", count),
    className: "number bar",
    cell: (row) => withBar(count(row) / (most || 1), locale.format.count(count(row))),
  };
}

/**
 * Rates with their ranges.
 *
 * @param sumsOf the sums of a row, and those of which they are a group
 * @param hasBar draws a bar beside each rate
 */
export function rateColumn<Row>(
  locale: Locale,
  title: string,
  name: CoveredRateName,
  sumsOf: (row: Row) => { sums: Sums | SpreadSums; all?: SpreadSums | undefined },
  hasBar = false,
): PageColumn<Row> {
  const rateOf = (row: Row) => coveredRateOf(sumsOf(row).sums, name).rate;
  return {
    ...numberColumn(locale, title, methodOfRate(name), rateOf),
    className: hasBar ? "number bar" : "number",
    cell(row) {
      const { sums, all } = sumsOf(row);
      const text = rateText(locale, sums, name, all);
      return hasBar ? withBar(rateOf(row), text) : text;
    },
  };
}
