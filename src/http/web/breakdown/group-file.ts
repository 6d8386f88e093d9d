// The table of groups as a CSV file, in the order of the page.

import type { Locale } from "../../../locale/locale.ts";
import { csvFile } from "../frame/csv-file.ts";
import type { FileContent } from "../frame/page.ts";
import type { BreakdownRow, GroupColumn } from "./group-order.ts";
import { groupColumnsOf } from "./group-table.ts";

/** @param name the title of the first column. A change is in percentage points. */
export function groupFile(
  locale: Locale,
  rows: readonly BreakdownRow[],
  { file, columns, name }: { file: string; name: string; columns: readonly GroupColumn[] },
): FileContent {
  const all = groupColumnsOf(locale, name);
  // As in the file of campaigns.
  const isCounting = {
    title: locale.t("campaigns.isStillCounting"),
    unit: "0/1",
    csv: ({ isProvisional }: BreakdownRow) => Number(isProvisional === true),
  };
  return csvFile(file, [...columns.map((column) => all[column]), isCounting], [rows]);
}
