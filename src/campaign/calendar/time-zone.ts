// Time zones of the IANA database: their offsets from UTC, and the instants that a wall time names.
// A wall time is what the clocks of a zone show, written as the milliseconds that a UTC clock would show.

import { dayMs, hourMs, minuteMs, secondMs } from "./durations.ts";

/** Whether `name` is in the IANA database. Offsets such as `+02:00` are not names. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    zoneFormat(name);
    return true;
  } catch {
    return false;
  }
}

/** The offset of a zone from UTC at an instant, in milliseconds; positive east of Greenwich. */
export function zoneOffset(at: number, timeZone: string): number {
  return timeZone === "UTC" ? 0 : offsetIn(zoneFormat(timeZone), at);
}

function offsetIn(format: Intl.DateTimeFormat, at: number): number {
  // `Intl` prints GMT+02:00, and GMT-07:52:58 for local mean time.
  const shown = /GMT([+-])(\d{2}):(\d{2}):?(\d{2})?$/.exec(format.format(at));
  if (!shown) return 0;
  const [, sign, hours, minutes, seconds = 0] = shown;
  const offset = Number(hours) * hourMs + Number(minutes) * minuteMs + Number(seconds) * secondMs;
  return sign === "-" ? -offset : offset;
}

/**
 * The instant of a wall time. A wall time that occurs twice means the earlier instant; one that never occurs moves
 * forward by the gap.
 */
export function instantOfWallTime(wall: number, timeZone: string): number {
  const [first] = instantsOfWallTime(wall, timeZone);
  return first ?? wall - zoneOffset(wall - dayMs, timeZone);
}

/** Every instant at which the clocks of a zone show a wall time: none, one or two, in order. */
export function instantsOfWallTime(wall: number, timeZone: string): number[] {
  const offsets = new Set([zoneOffset(wall - dayMs, timeZone), zoneOffset(wall + dayMs, timeZone)]);
  return [...offsets]
    .map((offset) => wall - offset)
    .filter((at) => at + zoneOffset(at, timeZone) === wall)
    .sort((a, b) => a - b);
}

export interface TimeZone {
  name: string;
  /** The offset from UTC in milliseconds, positive east of Greenwich. */
  offset: number;
}

/** Clocks change at quarters of an hour. */
const listedForMs = 15 * minuteMs;
let listed: { at: number; zones: readonly TimeZone[] } = { at: Number.NaN, zones: [] };

/** All zones of the runtime with their offsets at an instant: `UTC`, then by name. */
export function listTimeZones(at: number): readonly TimeZone[] {
  const start = Math.floor(at / listedForMs) * listedForMs;
  if (listed.at !== start) {
    const names = Intl.supportedValuesOf("timeZone").filter((name) => name !== "UTC");
    // The formats of all zones would occupy 20 MB, so they are not kept.
    const zones = names.map((name) => ({ name, offset: offsetIn(makeZoneFormat(name), start) }));
    listed = { at: start, zones: [{ name: "UTC", offset: 0 }, ...zones] };
  }
  return listed.zones;
}

/** Formats are expensive to create; there are at most a few hundred zones. */
const zoneFormats = new Map<string, Intl.DateTimeFormat>();

function zoneFormat(timeZone: string): Intl.DateTimeFormat {
  let format = zoneFormats.get(timeZone);
  if (!format) {
    format = makeZoneFormat(timeZone);
    zoneFormats.set(timeZone, format);
  }
  return format;
}

function makeZoneFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: "longOffset" });
}
