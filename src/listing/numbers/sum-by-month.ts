// Sums selected campaigns by month.

import { addMonths, type Month, monthAt, startOfMonth } from "../../campaign/calendar/months.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import type { Sums } from "../../campaign/sums.ts";
import type { Selection } from "./select.ts";
import { SumsByPeriod, sumSelection } from "./sum-selection.ts";

export interface MonthlySums {
  /** In the organization's time zone. */
  month: Month;
  sums: Sums;
}

/** The months with campaigns, oldest first. */
export function sumByMonth(selection: Selection, traffic: TrafficFilter, timeZone: string): MonthlySums[] {
  const months = monthsOf(selection, timeZone);
  const periods = new SumsByPeriod(months.map((month) => startOfMonth(month, timeZone)));
  sumSelection(selection, traffic, [periods]);
  return months.map((month, index) => ({ month, sums: periods.sums[index] as Sums }));
}

/** A month is all instants from its start to the start of the next, even if clocks go back across midnight. */
function monthsOf({ parts }: Selection, timeZone: string): Month[] {
  const months: Month[] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const { chunk, positions } of parts) {
    for (const position of positions) {
      const at = chunk.times[position] as number;
      if (at < end) continue;
      const month = monthStartedAt(at, timeZone);
      months.push(month);
      end = startOfMonth(addMonths(month, 1), timeZone);
    }
  }
  return months;
}

/** The last month that has started by an instant. */
function monthStartedAt(at: number, timeZone: string): Month {
  const month = monthAt(at, timeZone);
  const next = addMonths(month, 1);
  return startOfMonth(next, timeZone) <= at ? next : month;
}
