// Calendar dates: which one an instant falls on in a time zone, when it starts there, and how it is written.

import { dayMs } from "./durations.ts";
import { instantsOfWallTime, zoneOffset } from "./time-zone.ts";

export interface CalendarDate {
  year: number;
  /** The number of the month, from 1 to 12. */
  month: number;
  day: number;
}

const monthNames = [
  ...["January", "February", "March", "April", "May", "June", "July"],
  ...["August", "September", "October", "November", "December"],
];

/** The number of the month whose English name starts with a text of three letters or more; 0 if there is none. */
export function monthOf(text = ""): number {
  const start = text.toLowerCase();
  return monthNames.findIndex((name) => name.toLowerCase().startsWith(start)) + 1;
}
const daysPerMonth = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/** The date of an instant in a time zone. */
export function dateAt(at: number, timeZone: string): CalendarDate {
  return dateOfWallTime(at + zoneOffset(at, timeZone));
}

/**
 * The first instant of a date in a time zone. If clocks skip midnight, the date starts when they jump (at 01:00, say).
 * A date that the zone skipped entirely starts, and ends, with the next one.
 */
export function startOfDay(date: CalendarDate, timeZone: string): number {
  const midnight = wallTimeOf(date);
  const [first] = instantsOfWallTime(midnight, timeZone);
  if (first !== undefined) return first;
  let before = midnight - dayMs;
  let after = midnight + dayMs;
  const offsetAfter = zoneOffset(after, timeZone);
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (zoneOffset(middle, timeZone) === offsetAfter) after = middle;
    else before = middle;
  }
  return after;
}

export function nextDay(date: CalendarDate): CalendarDate {
  return addDays(date, 1);
}

/** @param days may be negative */
export function addDays(date: CalendarDate, days: number): CalendarDate {
  return dateOfWallTime(wallTimeOf(date) + days * dayMs);
}

/** The days from a date to another one; negative if it is earlier. */
export function daysBetween(from: CalendarDate, to: CalendarDate): number {
  return Math.round((wallTimeOf(to) - wallTimeOf(from)) / dayMs);
}

/** `2026-01-31` */
export function isoDay({ year, month, day }: CalendarDate): string {
  const digits = (number: number, length: number) => String(number).padStart(length, "0");
  return `${digits(year, 4)}-${digits(month, 2)}-${digits(day, 2)}`;
}

/** `Jan 5, 2024` */
export function formatDay({ year, month, day }: CalendarDate): string {
  return `${monthNames[month - 1]?.slice(0, 3)} ${day}, ${String(year).padStart(4, "0")}`;
}

export function isRealDate({ year, month, day }: CalendarDate): boolean {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeapYear ? 29 : (daysPerMonth[month - 1] ?? 0);
  return day >= 1 && day <= days;
}

/** The wall time at midnight. `Date.UTC` maps the years 0 to 99 to 1900 to 1999, so these take another path. */
export function wallTimeOf({ year, month, day }: CalendarDate): number {
  return year > 99 ? Date.UTC(year, month - 1, day) : new Date(0).setUTCFullYear(year, month - 1, day);
}

export function dateOfWallTime(wall: number): CalendarDate {
  const date = new Date(wall);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}
