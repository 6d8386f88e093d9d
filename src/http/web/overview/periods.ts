// Monthly sums grouped for the charts: by month, or by year if there are too many months.

import { type Month, monthsBetween } from "../../../campaign/calendar/months.ts";
import { addSums, emptySums, type Sums } from "../../../campaign/sums.ts";
import type { MonthlySums } from "../../../listing/numbers/sum-by-month.ts";
import type { Formatter } from "../formatter.ts";

export interface Periods {
  unit: "month" | "year";
  periods: Period[];
}

interface Period {
  label: string;
  sums: Sums;
}

/** The most periods that a chart has room for. */
const maxPeriods = 120;

/** @param span the first and the last month to show; by default those of the sums */
export function groupByPeriod(
  format: Formatter,
  monthly: readonly MonthlySums[],
  span?: { first: Month; last: Month } | undefined,
): Periods {
  const earliest = monthly[0]?.month;
  // If clocks go back over the midnight that starts a month, a campaign can still belong to the month before.
  const isEarlier = span && earliest && monthNumber(earliest) < monthNumber(span.first);
  const first = isEarlier ? earliest : (span?.first ?? earliest);
  const last = span?.last ?? monthly.at(-1)?.month;
  if (!first || !last) return { unit: "month", periods: [] };
  const months = monthNumber(last) - monthNumber(first) + 1;
  if (months <= maxPeriods) {
    const labelOf = (month: Month) => format.month(month);
    const labels = monthsBetween(first, last).map(labelOf);
    return { unit: "month", periods: sumByLabel(labels, monthly, labelOf) };
  }
  const yearOf = ({ year }: Month) => String(year);
  const years = Array.from({ length: last.year - first.year + 1 }, (_, index) => String(first.year + index));
  const labels = years.length <= maxPeriods ? years : monthly.map(({ month }) => yearOf(month));
  return { unit: "year", periods: sumByLabel(labels, monthly, yearOf) };
}

export function totalSums(monthly: readonly MonthlySums[]): Sums {
  const total = emptySums();
  for (const { sums } of monthly) addSums(total, sums);
  return total;
}

const monthNumber = ({ year, month }: Month) => year * 12 + month;

function sumByLabel(
  labels: readonly string[],
  monthly: readonly MonthlySums[],
  labelOf: (month: Month) => string,
): Period[] {
  const byLabel = new Map(labels.map((label) => [label, emptySums()]));
  for (const { month, sums } of monthly) {
    const period = byLabel.get(labelOf(month));
    if (period) addSums(period, sums);
  }
  return [...byLabel].map(([label, sums]) => ({ label, sums }));
}
