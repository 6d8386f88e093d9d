// Hours of a time zone's clocks.

import { hourMs } from "./durations.ts";
import { zoneOffset } from "./time-zone.ts";

/** The instant at which an hour starts, by the clocks of a zone: not all zones are whole hours from UTC. */
export function startOfHour(at: number, timeZone: string): number {
  const wall = at + zoneOffset(at, timeZone);
  return at - (wall - Math.floor(wall / hourMs) * hourMs);
}
