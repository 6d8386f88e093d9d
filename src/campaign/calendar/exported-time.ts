// Parses a send time as email tools and spreadsheets write it in their exports.

import { isRealDate, monthNames, wallTimeOf } from "./calendar-date.ts";
import { hourMs, minuteMs, secondMs } from "./durations.ts";
import { parseIsoSentAt, parseSentAt } from "./sent-at.ts";
import { instantOfWallTime } from "./time-zone.ts";

/** How `3/4/2024` is read: March 4 or April 3. */
export const dateOrders = ["month-first", "day-first"] as const;
export type DateOrder = (typeof dateOrders)[number];

const weekday = /^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,?\s+/i;
const timeOfDay =
  /(?:^|,?\s+(?:at\s+)?)(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*(?:([ap])\.?m\.?)?\s*(utc|gmt|z|[+-]\d{2}:?\d{2})?$/i;
const namedMonthFirst = /^([a-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})$/i;
const namedMonthSecond = /^(\d{1,2})(?:st|nd|rd|th|\.)?[\s-]+([a-z]{3,9})\.?,?[\s-]+(\d{4})$/i;
const yearFirst = /^(\d{4})[/.](\d{1,2})[/.](\d{1,2})$/;
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
  const known = parseSentAt(trimmed, timeZone) ?? parseIsoSentAt(trimmed, timeZone);
  if (known !== undefined) return known;
  const rest = trimmed.replace(weekday, "");
  const time = timeOfDay.exec(rest);
  const date = parseDate(time ? rest.slice(0, time.index) : rest, order);
  if (date === "ambiguous") return date;
  const wallMs = time ? wallMsOf(time) : 0;
  if (!date || !isRealDate(date) || wallMs === undefined) return undefined;
  const wall = wallTimeOf(date) + wallMs;
  const offset = time?.[5];
  return offset === undefined ? instantOfWallTime(wall, timeZone) : wall - offsetMs(offset);
}

/**
 * The order of day and month in a date as {@link parseExportedTime} reads it: `ambiguous` if both give a date, undefined if it
 * makes no difference or neither does.
 */
export function dateOrderOf(text: string, timeZone: string): DateOrder | "ambiguous" | undefined {
  const [monthFirst, dayFirst] = dateOrders.map((order) => parseExportedTime(text, timeZone, order));
  if (monthFirst === dayFirst) return undefined;
  if (monthFirst === undefined) return "day-first";
  return dayFirst === undefined ? "month-first" : "ambiguous";
}

function parseDate(text: string, order: DateOrder | undefined) {
  const named = namedMonthFirst.exec(text);
  if (named) return toDate(named[3], monthOf(named[1]), named[2]);
  const second = namedMonthSecond.exec(text);
  if (second) return toDate(second[3], monthOf(second[2]), second[1]);
  const whole = yearFirst.exec(text);
  if (whole) return toDate(whole[1], Number(whole[2]), whole[3]);
  const [, first, separator, next, year = ""] = numeric.exec(text) ?? [];
  if (first === undefined || next === undefined) return undefined;
  const fullYear = year.length === 2 ? `20${year}` : year;
  const dayFirst = () => toDate(fullYear, Number(next), first);
  const monthFirst = () => toDate(fullYear, Number(first), next);
  // No country writes the month first with points.
  if (separator === "." || first === next) return dayFirst();
  if (order !== undefined) return order === "day-first" ? dayFirst() : monthFirst();
  if (Number(first) > 12) return dayFirst();
  return Number(next) > 12 ? monthFirst() : "ambiguous";
}

function toDate(year: string | undefined, month: number, day: string | undefined) {
  return month >= 1 && month <= 12 ? { year: Number(year), month, day: Number(day) } : undefined;
}

const fullMonthNames = [
  ...["January", "February", "March", "April", "May", "June", "July"],
  ...["August", "September", "October", "November", "December"],
];

/** 0 if it is none. `Sept` is one too. */
function monthOf(name = ""): number {
  const lower = name.toLowerCase();
  const short = monthNames.findIndex((each) => each.toLowerCase() === lower);
  if (short >= 0) return short + 1;
  return fullMonthNames.findIndex((each) => each.toLowerCase().startsWith(lower)) + 1;
}

/** Milliseconds since midnight; undefined if no clock shows the time. */
function wallMsOf([, hour, minute, second = "0", half]: RegExpExecArray): number | undefined {
  const hours = Number(hour);
  if (Number(minute) > 59 || Number(second) > 59) return undefined;
  if (half === undefined ? hours > 23 : hours < 1 || hours > 12) return undefined;
  const ofDay = half === undefined ? hours : (hours % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  return ofDay * hourMs + Number(minute) * minuteMs + Number(second) * secondMs;
}

function offsetMs(text: string): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(text) ?? [];
  if (sign === undefined) return 0;
  return (sign === "-" ? -1 : 1) * (Number(hours) * hourMs + Number(minutes) * minuteMs);
}
