// Writes a duration for people.

import { hourMs, minuteMs, secondMs } from "../../campaign/calendar/durations.ts";

/** `45 s`, `12 min` or `1 h 5 min`. */
export function describeDuration(ms: number): string {
  const seconds = Math.ceil(ms / secondMs);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(ms / minuteMs);
  const minutesOfHour = hourMs / minuteMs;
  if (minutes < minutesOfHour) return `${minutes} min`;
  return `${Math.floor(minutes / minutesOfHour)} h ${minutes % minutesOfHour} min`;
}
