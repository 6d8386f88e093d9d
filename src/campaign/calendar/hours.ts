// Hours of a time zone's clocks, as text: `Jun 14 3 AM`, `Nov 1 1 AM (UTC−4)`.

import { hourMs, minuteMs } from "./durations.ts";
import { formatSentAt } from "./sent-at.ts";
import { zoneOffset } from "./time-zone.ts";

/** The instant at which an hour starts, by the clocks of a zone: not all zones are whole hours from UTC. */
export function startOfHour(at: number, timeZone: string): number {
  const wall = at + zoneOffset(at, timeZone);
  return at - (wall - Math.floor(wall / hourMs) * hourMs);
}

/** One name per hour. When clocks go back, two hours have the same name; these include the offset. */
export function formatHours(hours: readonly number[], timeZone: string): string[] {
  const names = hours.map((at) =>
    formatSentAt(at, timeZone)
      .replace(/, \d{4,}/, "")
      .replace(":00 ", " "),
  );
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return names.map((name, index) => {
    if (counts.get(name) === 1) return name;
    return `${name} (${formatOffset(zoneOffset(hours[index] ?? 0, timeZone))})`;
  });
}

/** `UTC−3:30`, with a real minus sign. */
function formatOffset(offset: number): string {
  if (offset === 0) return "UTC";
  const minutes = Math.abs(Math.round(offset / minuteMs));
  const rest = minutes % 60 === 0 ? "" : `:${String(minutes % 60).padStart(2, "0")}`;
  return `UTC${offset < 0 ? "−" : "+"}${Math.floor(minutes / 60)}${rest}`;
}
