// Formats the hour in which an API key was last used: the database keeps no exact time.

import { hourMs } from "../../../campaign/calendar/durations.ts";

/** Returns a function that formats the hour from an instant, such as `Jan 5, 2026, 3:00 – 4:00 PM`. */
export function hourRangeFormat(timeZone: string): (start: number) => string {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
  });
  // ICU separates with thin and narrow spaces.
  return (start) => format.formatRange(start, start + hourMs).replaceAll(/\s/g, " ");
}
