// Hours as the clocks of a time zone show them, for people: `Jun 14 3 AM`, `Nov 1 1 AM (UTC−4)`.

import { hourMs, minuteMs } from "./durations.ts";
import { formatSentAt, offsetAt } from "./timestamps.ts";

/** The instant at which the hour begins that the clocks of a zone show. */
export function hourAt(at: number, timeZone: string): number {
  const wall = at + offsetAt(at, timeZone);
  return at - (wall - Math.floor(wall / hourMs) * hourMs);
}

/** Where clocks go back, two hours have the same name: these say which is which. */
export function hourNames(hours: readonly number[], timeZone: string): string[] {
  const names = hours.map((at) =>
    formatSentAt(at, timeZone)
      .replace(/, \d{4,}/, "")
      .replace(":00 ", " "),
  );
  const times = new Map<string, number>();
  for (const name of names) times.set(name, (times.get(name) ?? 0) + 1);
  return names.map((name, place) => {
    if (times.get(name) === 1) return name;
    return `${name} (${offsetName(offsetAt(hours[place] ?? 0, timeZone))})`;
  });
}

/** `UTC−3:30`, with a real minus sign. */
function offsetName(offset: number): string {
  if (offset === 0) return "UTC";
  const minutes = Math.abs(Math.round(offset / minuteMs));
  const rest = minutes % 60 === 0 ? "" : `:${String(minutes % 60).padStart(2, "0")}`;
  return `UTC${offset < 0 ? "−" : "+"}${Math.floor(minutes / 60)}${rest}`;
}
