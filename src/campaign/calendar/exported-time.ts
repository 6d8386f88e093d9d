// Parses a send time as email tools and spreadsheets write it in their exports.

import { type CalendarDate, isRealDate, monthOf, wallTimeOf } from "./calendar-date.ts";
import { hourMs, minuteMs, secondMs } from "./durations.ts";
import { parseOffset } from "./iso-timestamp.ts";
import { parseIsoSentAt } from "./sent-at.ts";
import { instantOfWallTime } from "./time-zone.ts";

/** How `3/4/05` is read: March 4, 2005, April 3, 2005, or April 5, 2003. Only years of two digits can be first in doubt. */
export const dateOrders = ["month-first", "day-first", "year-first"] as const;
export type DateOrder = (typeof dateOrders)[number];

const maxLength = 100;
const weekday = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+/i;
const timeOfDay =
  /(?:^|,?\s+(?:at\s+)?|(?<=\d)T)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*(?:([ap])\.?m\.?)?\s*((?:utc|gmt)?[+-]\d{2}(?::?\d{2})?|utc|gmt|z)?$/i;
const namedMonthFirst = /^([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})$/i;
const namedMonthSecond = /^(\d{1,2})(?:st|nd|rd|th|\.)?[\s-]+([a-z]{3,9})\.?,?[\s-]+(\d{4}|\d{2})$/i;
const yearFirst = /^(\d{4})([/.-])(\d{1,2})\2(\d{1,2})$/;
const numeric = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})$/;

/**
 * Accepts what imports accept, and dates with names of months or in numbers, with an optional time of 12 or 24 hours. A
 * time without an offset is local to the time zone. Abbreviations of zones such as EST are refused: they mean several zones.
 *
 * @returns `ambiguous` if the order of day and month must be known; undefined for any other form and for dates that do not
 *   exist
 */
export function parseExportedTime(
  text: string,
  timeZone: string,
  order?: DateOrder,
): number | "ambiguous" | undefined {
  const trimmed = text.trim().replaceAll(/[\u00a0\u202f]/g, " ");
  // Many spaces would take time that grows with the square of their number.
  if (trimmed.length > maxLength) return undefined;
  const known = parseIsoSentAt(trimmed, timeZone);
  if (known !== undefined) return known;
  const rest = trimmed.replace(weekday, "");
  const time = timeOfDay.exec(rest);
  const date = parseDate(time ? rest.slice(0, time.index) : rest, order);
  if (date === "ambiguous") return date;
  const wallMs = time ? wallMsOf(time) : 0;
  const offset = parseOffset(time?.[5]);
  if (!date || wallMs === undefined || Number.isNaN(offset)) return undefined;
  const wall = wallTimeOf(date) + wallMs;
  return offset === undefined ? instantOfWallTime(wall, timeZone) : wall - offset;
}

/**
 * The instant of `Jan 5, 2024 3:04 PM` in a time zone; undefined for any other form and for dates that do not exist.
 * Accepts any single space before AM or PM, because newer CLDR versions print a narrow no-break space.
 */
export function parseSentAt(text: string, timeZone: string): number | undefined {
  const isSentAt = /^[a-z]{3}\s\d{1,2},\s\d{4}\s\d{1,2}:\d{2}\s[ap]m$/i.test(text);
  return isSentAt ? (parseExportedTime(text, timeZone) as number | undefined) : undefined;
}

/**
 * The order of the parts of a date as {@link parseExportedTime} reads it: `ambiguous` if several orders give different dates,
 * undefined if it makes no difference or none gives a date.
 */
export function dateOrderOf(text: string, timeZone: string): DateOrder | "ambiguous" | undefined {
  const instants = dateOrders.map((order) => parseExportedTime(text, timeZone, order));
  const known = instants.filter((instant) => instant !== undefined);
  if (new Set(known).size > 1) return "ambiguous";
  return known.length === 1 ? dateOrders[instants.findIndex((instant) => instant !== undefined)] : undefined;
}

function parseDate(text: string, order: DateOrder | undefined): CalendarDate | "ambiguous" | undefined {
  const named = namedMonthFirst.exec(text);
  if (named) return toDate(named[3], monthOf(named[1]), named[2]);
  const second = namedMonthSecond.exec(text);
  if (second) return toDate(second[3], monthOf(second[2]), second[1]);
  const whole = yearFirst.exec(text);
  if (whole) return toDate(whole[1], Number(whole[3]), whole[4]);
  const [, first = "", separator, next = "", last = ""] = numeric.exec(text) ?? [];
  if (separator === undefined) return undefined;
  const dates: Record<DateOrder, CalendarDate | undefined> = {
    "month-first": toDate(last, Number(first), next),
    "day-first": toDate(last, Number(next), first),
    "year-first": first.length === 2 && last.length === 2 ? toDate(first, Number(next), last) : undefined,
  };
  // No country writes the month first with points, and none that does the year in two digits.
  if (separator === ".") return dates["day-first"];
  if (order !== undefined) return dates[order];
  const known = Object.values(dates).filter((date) => date !== undefined);
  return new Set(known.map(wallTimeOf)).size > 1 ? "ambiguous" : known[0];
}

/** Undefined for a date that no calendar has. A year of two digits is of this century. */
function toDate(year = "", month: number, day: string | undefined): CalendarDate | undefined {
  const date = { year: Number(year.padStart(4, "20")), month, day: Number(day) };
  return isRealDate(date) ? date : undefined;
}

/** Milliseconds since midnight; undefined if no clock shows the time. */
function wallMsOf([, hour, minute, second = "0", half]: RegExpExecArray): number | undefined {
  const hours = Number(hour);
  if (Number(minute) > 59 || Number(second) > 59) return undefined;
  if (half === undefined ? hours > 23 : hours < 1 || hours > 12) return undefined;
  const ofDay = half === undefined ? hours : (hours % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  return ofDay * hourMs + Number(minute) * minuteMs + Number(second) * secondMs;
}
