// The `sent_at` text of a record, `Jan 5, 2024 3:04 PM` in the organization's time zone: formats and parses it.

import { dateOfWallTime, formatDay, isRealDate, monthOf, startOfDay, wallTimeOf } from "./calendar-date.ts";
import { hourMs, minuteMs } from "./durations.ts";
import { parseIsoTimestamp, parseIsoWallTime } from "./iso-timestamp.ts";
import { instantOfWallTime, zoneOffset } from "./time-zone.ts";

/** `Jan 5, 2024 3:04 PM`: English month, no leading zeros in day and hour (specification 2.1, `sent_at`). */
export function formatSentAt(at: number, timeZone: string): string {
  const wall = at + zoneOffset(at, timeZone);
  const clock = new Date(wall);
  const hours = clock.getUTCHours();
  const minutes = String(clock.getUTCMinutes()).padStart(2, "0");
  return `${formatDay(dateOfWallTime(wall))} ${hours % 12 || 12}:${minutes} ${hours < 12 ? "AM" : "PM"}`;
}

/**
 * The instant of `Jan 5, 2024 3:04 PM` in a time zone; undefined for any other form and for dates that do not exist.
 * Accepts any single space before AM or PM, because newer CLDR versions print a narrow no-break space.
 */
export function parseSentAt(text: string, timeZone: string): number | undefined {
  const match = /^([a-z]{3})\s(\d{1,2}),\s(\d{4})\s(\d{1,2}):(\d{2})\s([ap])m$/i.exec(text);
  if (!match) return undefined;
  const [, monthName = "", day, year, hour, minute, half = ""] = match;
  const date = { year: Number(year), month: monthOf(monthName), day: Number(day) };
  const hour12 = Number(hour);
  if (!isRealDate(date) || hour12 < 1 || hour12 > 12 || Number(minute) > 59) return undefined;
  const hours = (hour12 % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  return instantOfWallTime(wallTimeOf(date) + hours * hourMs + Number(minute) * minuteMs, timeZone);
}

/**
 * The instant of an ISO-8601 time in an import. Accepts what {@link parseIsoTimestamp} accepts; a time without an
 * offset is local to the time zone, and a date is the start of that day there. As spreadsheets write it, a space may
 * replace the `T`, and the seconds may be missing.
 */
export function parseIsoSentAt(text: string, timeZone: string): number | undefined {
  const iso = text
    .replace(/^(\d{4}-\d{2}-\d{2}) (?=\d{2}:)/, "$1T")
    .replace(/^(.{10}T\d{2}:\d{2})(?=$|Z$|[+-]\d{2}:\d{2}$)/, "$1:00");
  const timestamp = parseIsoTimestamp(iso);
  if (timestamp) return timestamp.kind === "instant" ? timestamp.at : startOfDay(timestamp.date, timeZone);
  const parsed = parseIsoWallTime(iso);
  return parsed && instantOfWallTime(parsed.wall, timeZone);
}
