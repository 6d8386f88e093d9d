// Points in time as people and programs write them: ISO-8601 in, "Jan 5, 2024 3:04 PM" out, and the calendar
// of a time zone in between. Instants are whole milliseconds since 1970.

import { dayMs, hourMs, minuteMs } from "./durations.ts";

/** As they stand in dates. */
export const monthNames = [
  "Jan",
  "Feb",
  "Mar",
  "Apr",
  "May",
  "Jun",
  "Jul",
  "Aug",
  "Sep",
  "Oct",
  "Nov",
  "Dec",
] as const;
const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** A day of the calendar; `month` from 1 to 12. */
export interface CalendarDate {
  year: number;
  month: number;
  day: number;
}

type IsoTimestamp = { kind: "instant"; at: number } | { kind: "date"; date: CalendarDate };

/** Whether `name` is a time zone of the IANA database. Plain offsets such as `+02:00` are none. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    zoneFormat(name);
    return true;
  } catch {
    return false;
  }
}

/** `Jan 5, 2024 3:04 PM`: English month, no leading zeros in day and hour (specification 2.1, `sent_at`). */
export function formatSentAt(at: number, timeZone: string): string {
  const wall = new Date(at + offsetAt(at, timeZone));
  const hours = wall.getUTCHours();
  const minutes = String(wall.getUTCMinutes()).padStart(2, "0");
  return `${formatDay(dayOf(wall.getTime()))} ${hours % 12 || 12}:${minutes} ${hours < 12 ? "AM" : "PM"}`;
}

/** `Jan 5, 2024` */
export function formatDay({ year, month, day }: CalendarDate): string {
  return `${monthNames[month - 1]} ${day}, ${String(year).padStart(4, "0")}`;
}

/**
 * The instant that `Jan 5, 2024 3:04 PM` names in a time zone, or undefined where the text has another shape or
 * names no real date. A time that occurs twice means the earlier instant; one that never occurs is moved forward
 * by the gap. Any one space is taken before AM/PM: newer language data prints a narrow one.
 */
export function parseSentAt(text: string, timeZone: string): number | undefined {
  const match = /^([a-z]{3})\s(\d{1,2}),\s(\d{4})\s(\d{1,2}):(\d{2})\s([ap])m$/i.exec(text);
  if (!match) return undefined;
  const [, monthName = "", day, year, hour, minute, half = ""] = match;
  const month = monthNames.findIndex((name) => name.toLowerCase() === monthName.toLowerCase()) + 1;
  const date = { year: Number(year), month, day: Number(day) };
  const onClock = Number(hour);
  if (!isRealDate(date) || onClock < 1 || onClock > 12 || Number(minute) > 59) return undefined;
  const hours = (onClock % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  return instantOfWallTime(utcOf(date) + hours * hourMs + Number(minute) * minuteMs, timeZone);
}

const isoDate = /^(\d{4})-(\d{2})-(\d{2})$/;
const isoDateTime = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(Z|[+-]\d{2}:\d{2})?$/;

/**
 * Reads the three ISO-8601 shapes of the specification (4.1): `YYYY-MM-DD`, `YYYY-MM-DDThh:mm:ssZ` and
 * `YYYY-MM-DDThh:mm:ss±hh:mm`, with optional fractional seconds, cut after milliseconds. Undefined for anything
 * else and for dates that do not exist.
 */
export function parseIsoTimestamp(text: string): IsoTimestamp | undefined {
  const dateOnly = isoDate.exec(text);
  if (dateOnly) {
    const date = dateOf(dateOnly);
    return isRealDate(date) ? { kind: "date", date } : undefined;
  }
  const wall = parseIsoWallTime(text);
  if (wall?.offset === undefined) return undefined;
  return { kind: "instant", at: wall.at - wall.offset };
}

/**
 * The instant of an ISO-8601 time in an import: as {@link parseIsoTimestamp}, and a time without an offset is the
 * wall time of the time zone, a date alone the start of that day there. As spreadsheets write it, a space may stand
 * for the `T`, and the seconds may be missing.
 */
export function parseIsoSentAt(given: string, timeZone: string): number | undefined {
  const text = given
    .replace(/^(\d{4}-\d{2}-\d{2}) (?=\d{2}:)/, "$1T")
    .replace(/^(.{10}T\d{2}:\d{2})(?=$|Z$|[+-]\d{2}:\d{2}$)/, "$1:00");
  const timestamp = parseIsoTimestamp(text);
  if (timestamp) return timestamp.kind === "instant" ? timestamp.at : startOfDay(timestamp.date, timeZone);
  const wall = parseIsoWallTime(text);
  return wall && instantOfWallTime(wall.at, timeZone);
}

/**
 * The first instant of a calendar day in a time zone. Where clocks change at midnight the day begins when they
 * jump (01:00, say); a day that a zone skipped begins, and ends, with the next one.
 */
export function startOfDay(date: CalendarDate, timeZone: string): number {
  const midnight = utcOf(date);
  const [first] = instantsOfWallTime(midnight, timeZone);
  if (first !== undefined) return first;
  let before = midnight - dayMs;
  let after = midnight + dayMs;
  const offsetAfter = offsetAt(after, timeZone);
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(middle, timeZone) === offsetAfter) after = middle;
    else before = middle;
  }
  return after;
}

/** The calendar day after `date`. */
export function nextDay(date: CalendarDate): CalendarDate {
  return dayOf(utcOf(date) + dayMs);
}

/** The calendar day of an instant in a time zone. */
export function dayAt(at: number, timeZone: string): CalendarDate {
  return dayOf(at + offsetAt(at, timeZone));
}

function dayOf(wall: number): CalendarDate {
  const date = new Date(wall);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

function parseIsoWallTime(text: string): { at: number; offset: number | undefined } | undefined {
  const match = isoDateTime.exec(text);
  if (!match) return undefined;
  const [hour, minute, second] = [Number(match[4]), Number(match[5]), Number(match[6])];
  const date = dateOf(match);
  const offset = parseOffset(match[8]);
  if (!isRealDate(date) || hour > 23 || minute > 59 || second > 59 || Number.isNaN(offset)) return undefined;
  const millisecond = Number((match[7] ?? "").slice(0, 3).padEnd(3, "0"));
  return { at: utcOf(date) + ((hour * 60 + minute) * 60 + second) * 1000 + millisecond, offset };
}

/** Milliseconds east of UTC; undefined for no offset, NaN for one that no clock shows. */
function parseOffset(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (text === "Z") return 0;
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(4))];
  if (hours > 23 || minutes > 59) return Number.NaN;
  return (text.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * minuteMs;
}

function dateOf(match: RegExpExecArray): CalendarDate {
  return { year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) };
}

function isRealDate({ year, month, day }: CalendarDate): boolean {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeapYear ? 29 : (daysOfMonths[month - 1] ?? 0);
  return day >= 1 && day <= days;
}

/** Midnight of a date as if it were UTC. (`Date.UTC` would take the years 0 to 99 for 1900 to 1999.) */
function utcOf({ year, month, day }: CalendarDate): number {
  return year > 99 ? Date.UTC(year, month - 1, day) : new Date(0).setUTCFullYear(year, month - 1, day);
}

/** The one instant that a wall time stands for (decision: times that occur twice, or never). */
function instantOfWallTime(wall: number, timeZone: string): number {
  const [first] = instantsOfWallTime(wall, timeZone);
  return first ?? wall - offsetAt(wall - dayMs, timeZone);
}

/** Every instant at which the clocks of a zone show a wall time: one, two, or none, the earlier first. */
function instantsOfWallTime(wall: number, timeZone: string): number[] {
  const offsets = new Set([offsetAt(wall - dayMs, timeZone), offsetAt(wall + dayMs, timeZone)]);
  return [...offsets]
    .map((offset) => wall - offset)
    .filter((at) => at + offsetAt(at, timeZone) === wall)
    .sort((a, b) => a - b);
}

/** Milliseconds that the clocks of a zone are ahead of UTC at an instant. `Intl` prints it as GMT-07:52:58. */
export function offsetAt(at: number, timeZone: string): number {
  if (timeZone === "UTC") return 0;
  const shown = /GMT([+-])(\d{2}):(\d{2}):?(\d{2})?$/.exec(zoneFormat(timeZone).format(at));
  if (!shown) return 0;
  const [, sign, hours, minutes, seconds = 0] = shown;
  return (sign === "-" ? -1 : 1) * ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000;
}

/** Formats are costly to make and there are a few hundred zones at most. */
const zoneFormats = new Map<string, Intl.DateTimeFormat>();

function zoneFormat(timeZone: string): Intl.DateTimeFormat {
  let format = zoneFormats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
    zoneFormats.set(timeZone, format);
  }
  return format;
}
