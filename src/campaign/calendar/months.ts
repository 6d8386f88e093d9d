// Calendar months in a time zone.

import { dateAt, startOfDay } from "./calendar-date.ts";

export interface Month {
  year: number;
  /** From 1 to 12. */
  month: number;
}

/** The month of an instant in a time zone. */
export function monthAt(at: number, timeZone: string): Month {
  const { year, month } = dateAt(at, timeZone);
  return { year, month };
}

/** The first instant of a month in a time zone. */
export function startOfMonth({ year, month }: Month, timeZone: string): number {
  return startOfDay({ year, month, day: 1 }, timeZone);
}

/** @param months may be negative */
export function addMonths({ year, month }: Month, months: number): Month {
  const number = year * 12 + (month - 1) + months;
  return { year: Math.floor(number / 12), month: (((number % 12) + 12) % 12) + 1 };
}

/** All months from the first to the last, inclusive. */
export function monthsBetween(first: Month, last: Month): Month[] {
  const length = (last.year - first.year) * 12 + last.month - first.month + 1;
  return Array.from({ length: Math.max(length, 0) }, (_, index) => addMonths(first, index));
}
