// The table of groups as a CSV file, in the order of the page.

import type { Comparison } from "../../../campaign/calendar/period.ts";
import type { Locale } from "../../../locale/locale.ts";
import type { NumberMethod } from "../../../locale/rate-text.ts";
import { csvFile, csvNumber, csvTitle, csvUnits } from "../frame/csv-file.ts";
import type { FileContent } from "../frame/page.ts";
import { type BreakdownRow, type GroupColumn, numberIn } from "./group-order.ts";
import { columnTitles } from "./group-table.ts";

const methods: Record<Exclude<GroupColumn, "name">, NumberMethod> = {
  campaigns: "count",
  recipients: "count",
  open_rate: "rate",
  click_rate: "rate",
  read: "rate",
  change: "rate",
  enps: "index",
};

/** @param name the title of the first column. A change is in percentage points. */
export function groupFile(
  locale: Locale,
  rows: readonly BreakdownRow[],
  {
    file,
    columns,
    ...named
  }: { file: string; name: string; compare: Comparison; columns: readonly GroupColumn[] },
): FileContent {
  const titles = columnTitles(locale, named);
  const header = columns.map((column) => {
    if (column === "change") return csvTitle(titles.change, locale.t("breakdown.points"));
    const unit = column === "name" ? undefined : csvUnits[methods[column]];
    return unit === undefined ? titles[column] : csvTitle(titles[column], unit);
  });
  const cells = rows.map((row) =>
    columns.map((column) =>
      column === "name" ? row.name : csvNumber(methods[column], numberIn(row, column)),
    ),
  );
  return csvFile(file, header, [cells]);
}
