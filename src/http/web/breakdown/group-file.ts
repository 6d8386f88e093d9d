// The table of groups as a CSV file, in the order of the page.

import type { Locale } from "../../../locale/locale.ts";
import type { NumberMethod } from "../../../locale/rate-text.ts";
import { numberColumn } from "../frame/columns.ts";
import { csvFile } from "../frame/csv-file.ts";
import type { FileContent } from "../frame/page.ts";
import type { PageColumn } from "../ui/lists/table.ts";
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
  { file, columns, name }: { file: string; name: string; columns: readonly GroupColumn[] },
): FileContent {
  const titles = columnTitles(locale, name);
  const fileColumns = columns.map((column): PageColumn<BreakdownRow> => {
    if (column === "name") return { title: titles.name, csv: ({ name }) => name };
    const numbers = numberColumn(locale, titles[column], methods[column], (row: BreakdownRow) =>
      numberIn(row, column),
    );
    return column === "change" ? { ...numbers, unit: locale.t("breakdown.points") } : numbers;
  });
  // As in the file of campaigns.
  const isCounting = { title: locale.t("campaigns.isStillCounting"), unit: "0/1" };
  fileColumns.push({ ...isCounting, csv: ({ isProvisional }) => Number(isProvisional === true) });
  return csvFile(file, fileColumns, [rows]);
}
