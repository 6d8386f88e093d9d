// The periods of a report, and which campaigns it takes rates from.

import {
  addDays,
  type CalendarDate,
  dateOfWallTime,
  wallTimeOf,
} from "../../campaign/calendar/calendar-date.ts";
import { acceptedPeriods, type DateSpan, namedPeriod } from "../../campaign/calendar/period.ts";

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
export const acceptedReportPeriods = `last-week, ${acceptedPeriods.replace(" all,", "")}`;

/** Undefined if there is no such period, or it has no bounds. */
export function reportPeriod(name: string, today: CalendarDate): ReportPeriod | undefined {
  if (name === "last-week") return weekFrom(addDays(mondayOf(today), -7));
  const span = namedPeriod(name, today)?.span;
  return span && { sent: span, rated: span };
}

function weekFrom(monday: CalendarDate): ReportPeriod {
  const spanFrom = (first: CalendarDate): DateSpan => ({ first, last: addDays(first, 6) });
  return { sent: spanFrom(monday), rated: spanFrom(addDays(monday, -7)) };
}

/** The period of a digest. @param monday as `isoDay` writes it */
export function weekReportOf(monday: string): ReportPeriod {
  return weekFrom(dateOfWallTime(Date.parse(monday)));
}

/** The Monday of the week of a date. */
export function mondayOf(date: CalendarDate): CalendarDate {
  const wall = wallTimeOf(date);
  // Sunday is 0.
  return addDays(dateOfWallTime(wall), -((new Date(wall).getUTCDay() + 6) % 7));
}
