// Formats the `sent_at` of a record, `Jan 5, 2024 3:04 PM` in the organization's time zone, and parses that of an import.

import { dateOfWallTime, formatDay, startOfDay } from "./calendar-date.ts";
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
