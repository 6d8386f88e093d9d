// Finds out from the dates of a column whether 3/4/2026 is March 4 or April 3.

import { type DateOrder, dateOrderOf } from "../../campaign/calendar/exported-time.ts";
import { largestRecordLength, type SheetRow } from "./file-entry.ts";

/** The order of the first date that has only one. */
export interface FoundDateOrder {
  order: DateOrder;
  text: string;
  line: number;
}

/** What an empty row or cell takes, in characters. */
const [rowWeight, cellWeight] = [100, 10];

/**
 * The rows, with the order of dates if it was found. Rows from the first date that may have both orders on are held back until
 * another date tells, as long as their texts fit into memory.
 *
 * @param datesOf the position of the column; undefined while it is not known, and if the user chose the order
 */
export async function* findDateOrder(
  rows: AsyncIterable<SheetRow>,
  datesOf: () => { column: number; timeZone: string } | undefined,
): AsyncGenerator<{ row: SheetRow; found: FoundDateOrder | undefined }> {
  let found: FoundDateOrder | undefined;
  const held: SheetRow[] = [];
  let heldLength = 0;
  for await (const row of rows) {
    held.push(row);
    const dates = datesOf();
    if (!found && dates && "cells" in row) {
      const text = row.cells[dates.column]?.trim() ?? "";
      const order = dateOrderOf(text, dates.timeZone);
      if (order !== undefined && order !== "ambiguous") found = { order, text, line: row.line };
      else if (order === "ambiguous" || held.length > 1) {
        heldLength += rowWeight;
        for (const cell of row.cells) heldLength += cellWeight + (cell?.length ?? 0);
        if (heldLength <= largestRecordLength) continue;
      }
    }
    for (const each of held.splice(0)) yield { row: each, found };
  }
  for (const each of held) yield { row: each, found };
}
