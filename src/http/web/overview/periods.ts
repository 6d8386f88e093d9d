// The sums of months as they are shown over time: each month, or each year where there would be too many months.

import { formatMonth, type Month, monthsBetween } from "../../../campaign/calendar/months.ts";
import { addSums, emptySums, type Sums } from "../../../campaign/sums.ts";
import type { MonthlySums } from "../../../listing/reports/monthly-sums.ts";

interface Period {
  label: string;
  sums: Sums;
}

export interface Periods {
  /** What each of them is. */
  unit: "Month" | "Year";
  periods: Period[];
}

/** More do not fit into a chart. */
const periodsMax = 120;

/** @param span from which month to which, if that is not given by the sums */
export function periodsOf(
  monthly: readonly MonthlySums[],
  span?: { first: Month; last: Month } | undefined,
): Periods {
  const earliest = monthly[0]?.month;
  // Where clocks go back over the midnight that a month begins at, something is of the month before after all.
  const isEarlier = span && earliest && numberOf(earliest) < numberOf(span.first);
  const first = isEarlier ? earliest : (span?.first ?? earliest);
  const last = span?.last ?? monthly.at(-1)?.month;
  if (!first || !last) return { unit: "Month", periods: [] };
  const months = numberOf(last) - numberOf(first) + 1;
  if (months <= periodsMax) {
    const labels = monthsBetween(first, last).map(formatMonth);
    return { unit: "Month", periods: gather(labels, monthly, formatMonth) };
  }
  const yearOf = ({ year }: Month) => String(year);
  const years = Array.from({ length: last.year - first.year + 1 }, (_, index) => String(first.year + index));
  const labels = years.length <= periodsMax ? years : monthly.map(({ month }) => yearOf(month));
  return { unit: "Year", periods: gather(labels, monthly, yearOf) };
}

/** The sums of all of them. */
export function totalOf(monthly: readonly MonthlySums[]): Sums {
  const total = emptySums();
  for (const { sums } of monthly) addSums(total, sums);
  return total;
}

const numberOf = ({ year, month }: Month) => year * 12 + month;

function gather(
  labels: readonly string[],
  monthly: readonly MonthlySums[],
  labelOf: (month: Month) => string,
): Period[] {
  const byLabel = new Map(labels.map((label) => [label, emptySums()]));
  for (const { month, sums } of monthly) {
    const to = byLabel.get(labelOf(month));
    if (to) addSums(to, sums);
  }
  return [...byLabel].map(([label, sums]) => ({ label, sums }));
}
