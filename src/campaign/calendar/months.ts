// Calendar months.

export interface Month {
  year: number;
  /** The number of the month, from 1 to 12. */
  month: number;
}

/** @param months may be negative */
export function addMonths(month: Month, months: number): Month {
  const number = monthNumber(month) + months;
  return { year: Math.floor(number / 12), month: (((number % 12) + 12) % 12) + 1 };
}

/** Numbers consecutive months from January of the year 0. */
function monthNumber({ year, month }: Month): number {
  return year * 12 + (month - 1);
}
