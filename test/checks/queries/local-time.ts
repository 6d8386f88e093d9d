// Local times of the oracle. They come from Intl alone, so that they share no code with the program.

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const maxOffsetMs = 26 * 3_600_000;
const formats = new Map<string, Intl.DateTimeFormat>();

interface LocalTime {
  /** `YYYY-MM-DD` */
  date: string;
  /** `Jan 5, 2024 3:04 PM`, the form of `sent_at` (specification 2.1) */
  text: string;
}

export function localTime(at: number, timeZone: string): LocalTime {
  const parts = Object.fromEntries(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const { year = "", month = "", day = "", hour, minute, dayPeriod } = parts;
  const fullYear = year.padStart(4, "0");
  const monthNumber = String(months.indexOf(month) + 1).padStart(2, "0");
  return {
    date: `${fullYear}-${monthNumber}-${day.padStart(2, "0")}`,
    text: `${month} ${day}, ${fullYear} ${hour}:${minute} ${dayPeriod}`,
  };
}

/** The first instant on or after a date (`YYYY-MM-DD`) in a time zone. Local dates never go back in the zones used. */
export function startOfDate(date: string, timeZone: string): number {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  let [before, start] = [midnight - maxOffsetMs, midnight + maxOffsetMs];
  while (start - before > 1) {
    const middle = Math.floor((before + start) / 2);
    if (localTime(middle, timeZone).date < date) before = middle;
    else start = middle;
  }
  return start;
}

export function dayAfter(date: string): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone,
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "numeric",
    minute: "2-digit",
    hourCycle: "h12",
  });
  formats.set(timeZone, format);
  return format;
}
