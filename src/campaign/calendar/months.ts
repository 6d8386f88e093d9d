// Calendar months.

export interface Month {
  year: number;
  /** From 1 to 12. */
  month: number;
}

/** @param months may be negative */
export function addMonths({ year, month }: Month, months: number): Month {
  const number = year * 12 + (month - 1) + months;
  return { year: Math.floor(number / 12), month: (((number % 12) + 12) % 12) + 1 };
}
