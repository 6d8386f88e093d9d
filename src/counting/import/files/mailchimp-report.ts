// Mailchimp's report of one campaign, which has a title and a value in each row, as a row of its list of campaigns.

import { maxColumns, type SheetRow } from "../mapping/file-entry.ts";

/** The columns of the list for titles that are others: of the value, and of the percentage behind it if the list has it. */
const columnsInList = new Map([
  ["Subject Line", ["Subject"]],
  ["Delivery Date/Time", ["Send Date"]],
  ["Recipients Who Opened", ["Unique Opens", "Open Rate"]],
  ["Recipients Who Clicked", ["Unique Clicks", "Click Rate"]],
  ["Bounces", ["Total Bounces", ""]],
  ["Total Unsubs", ["Unsubscribes", ""]],
  ["Total Abuse Complaints", ["Abuse Complaints", ""]],
]);

/** Other tables stay as they are. */
export async function* turnMailchimpReport(rows: AsyncIterable<SheetRow>): AsyncGenerator<SheetRow> {
  let report: Map<string, string> | undefined;
  for await (const row of rows) {
    const [title = "", value = "", ...others] =
      "cells" in row ? row.cells.map((cell) => cell?.trim() ?? "") : [];
    if (row.line === 1 && /^(email )?campaign report$/i.test(title)) report = new Map();
    else if (!report || "problem" in row) yield row;
    // The clicks of each link follow.
    else if (others.some((cell) => cell !== "") || report.size > maxColumns) break;
    else if (value !== "") {
      const name = title.replace(/:$/, "");
      const [column = name, rateColumn] = columnsInList.get(name) ?? [];
      if (report.has(column)) {
        const problem = "is in the report of an A/B test; export the list of campaigns instead";
        return yield { line: row.line, problem };
      }
      const [, count = value, rate = ""] = /^([\d.,]+) \(([\d.,]+%)\)$/.exec(value) ?? [];
      report.set(column, rateColumn === undefined ? value : count);
      if (rateColumn) report.set(rateColumn, rate);
    }
  }
  if (report) for (const cells of [report.keys(), report.values()]) yield { line: 1, cells: [...cells] };
}
