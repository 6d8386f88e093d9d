// The periods of a report, and which campaigns it takes rates from.

import {
  addDays,
  type CalendarDate,
  dateOfWallTime,
  wallTimeOf,
} from "../../../campaign/calendar/calendar-date.ts";
import { addMonths } from "../../../campaign/calendar/months.ts";
import { acceptedPeriods, type DateSpan, monthName, namedPeriod } from "../../../campaign/calendar/period.ts";

export interface ReportPeriod {
  /** A report is about the campaigns that were sent in this period. */
  sent: DateSpan;
  /**
   * Its rates are those of campaigns that were sent in this one. Campaigns of the last week are still counting, so the rates
   * are of the week before: these campaigns reached their final numbers last week.
   */
  rated: DateSpan;
}

/** `all` has no bounds. */
export const acceptedReportPeriods = `last-week, last-month, ${acceptedPeriods.replace(" all,", "")}`;

/** Undefined if there is no such period, or it has no bounds. */
export function reportPeriod(name: string, today: CalendarDate): ReportPeriod | undefined {
  if (name === "last-week") {
    const monday = addDays(mondayOf(today), -7);
    return { sent: weekFrom(monday), rated: weekFrom(addDays(monday, -7)) };
  }
  const month = monthName(addMonths(today, -1));
  const span = namedPeriod(name === "last-month" ? month : name, today)?.span;
  return span && { sent: span, rated: span };
}

const weekFrom = (first: CalendarDate): DateSpan => ({ first, last: addDays(first, 6) });

/** The Monday of the week of a date. */
function mondayOf(date: CalendarDate): CalendarDate {
  const wall = wallTimeOf(date);
  // Sunday is 0.
  return addDays(dateOfWallTime(wall), -((new Date(wall).getUTCDay() + 6) % 7));
}
