// Parses ISO-8601 timestamps. Instants are whole milliseconds since 1970.

import { type CalendarDate, isRealDate, wallTimeOf } from "./calendar-date.ts";
import { hourMs, minuteMs, secondMs } from "./durations.ts";

type IsoTimestamp = { kind: "instant"; at: number } | { kind: "date"; date: CalendarDate };

const isoDate = /^(\d{4})-(\d{2})-(\d{2})$/;
const isoDateTime = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(Z|[+-]\d{2}:\d{2})?$/;

/**
 * Parses the three forms of the specification (4.1): `YYYY-MM-DD`, `YYYY-MM-DDThh:mm:ssZ` and
 * `YYYY-MM-DDThh:mm:ss±hh:mm`. Fractional seconds are optional and truncated to milliseconds. Undefined for any other
 * form and for dates that do not exist.
 */
export function parseIsoTimestamp(text: string): IsoTimestamp | undefined {
  const match = isoDate.exec(text);
  if (match) {
    const date = dateOf(match);
    return isRealDate(date) ? { kind: "date", date } : undefined;
  }
  const parsed = parseIsoWallTime(text);
  if (parsed?.offset === undefined) return undefined;
  return { kind: "instant", at: parsed.wall - parsed.offset };
}

/** The wall time of a full timestamp and its offset in milliseconds; `offset` is undefined if the text has none. */
export function parseIsoWallTime(text: string): { wall: number; offset: number | undefined } | undefined {
  const match = isoDateTime.exec(text);
  if (!match) return undefined;
  const [hour, minute, second] = [Number(match[4]), Number(match[5]), Number(match[6])];
  const date = dateOf(match);
  const offset = parseOffset(match[8]);
  if (!isRealDate(date) || hour > 23 || minute > 59 || second > 59 || Number.isNaN(offset)) return undefined;
  const millisecond = Number((match[7] ?? "").slice(0, 3).padEnd(3, "0"));
  const timeOfDay = hour * hourMs + minute * minuteMs + second * secondMs + millisecond;
  return { wall: wallTimeOf(date) + timeOfDay, offset };
}

/** Milliseconds east of UTC: 0 if the text has no digits, undefined without an offset, NaN for an invalid one. */
export function parseOffset(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, sign, hours, minutes] = /([+-])(\d{2}):?(\d{2})?$/.exec(text) ?? [];
  const [h, m] = [Number(hours ?? 0), Number(minutes ?? 0)];
  if (h > 23 || m > 59) return Number.NaN;
  return (sign === "-" ? -1 : 1) * (h * hourMs + m * minuteMs);
}

function dateOf(match: RegExpExecArray): CalendarDate {
  return { year: Number(match[1]), month: Number(match[2]), day: Number(match[3]) };
}
