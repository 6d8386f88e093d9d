// Formats numbers and dates in a language, by `Intl`.

import { type CalendarDate, wallTimeOf } from "../campaign/calendar/calendar-date.ts";
import { dayMs, hourMs, minuteMs, secondMs } from "../campaign/calendar/durations.ts";
import type { Month } from "../campaign/calendar/months.ts";

const oneDecimal = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;

export type Formatter = ReturnType<typeof makeFormatter>;

/**
 * Formats are expensive to create, so there is one object per language and region.
 *
 * @param language a BCP 47 tag
 */
export function makeFormatter(language: string) {
  const numbers = (options: Intl.NumberFormatOptions) => {
    const format = new Intl.NumberFormat(language, options);
    return (value: number): string => format.format(value);
  };
  const signed = (options: Intl.NumberFormatOptions) => {
    const format = numbers({ ...options, signDisplay: "exceptZero" });
    return (value: number): string => withMinus(format(value));
  };
  const dates = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { timeZone: "UTC", ...options });
  // Intl rounds the decimal that is written: 0.2905 is 29.1%. d3-format multiplies first and gives 29.0%.
  const rate = numbers({ ...oneDecimal, style: "percent" });
  const weekday = dates({ weekday: "short" });
  const hourOfDay = dates({ hour: "numeric" });
  const date = dates({ year: "numeric", month: "short", day: "numeric" });
  const shortDate = dates({ month: "short", day: "numeric" });
  const month = dates({ year: "numeric", month: "short" });
  const monthName = dates({ month: "long" });
  const relative = new Intl.RelativeTimeFormat(language);
  /** The formats by time zone. There are at most a few hundred zones. */
  const times = new Map<string, Intl.DateTimeFormat>();
  return {
    /** A whole number with thousands separators. */
    count: numbers({}),
    /** A rate from 0 to 1 as a percentage with one decimal. */
    rate: (value: number): string => avoidRoundedExtremes(value, rate),
    /** A small rate as a percentage with two or three decimals: limits of complaints are 0.1% and 0.3%. */
    fineRate: numbers({ minimumFractionDigits: 2, maximumFractionDigits: 3, style: "percent" }),
    /** A rate from 0 to 1 as a percentage, with a decimal only if it has one: for round steps. */
    roundRate: numbers({ maximumFractionDigits: 1, style: "percent" }),
    /** A mean with one or two decimals. */
    mean: numbers({ minimumFractionDigits: 1, maximumFractionDigits: 2 }),
    /** An index from -100 to 100, rounded and signed. */
    index: signed({ maximumFractionDigits: 0 }),
    /** A change of a count or a mean, as a share of it: `+4.1%`. */
    relativeChange: signed({ maximumFractionDigits: 1, style: "percent" }),
    /** A change in points, with one decimal: `+4.1`. */
    pointChange: signed(oneDecimal),
    /** A day of the week from 0, Monday, to 6: `Mon`. */
    weekday(day: number): string {
      // January 5, 1970 was a Monday.
      return weekday.format((day + 4) * dayMs);
    },
    /** An hour of the day from 0 to 23: `3 PM`. */
    hourOfDay: (hour: number): string => withPlainSpaces(hourOfDay.format(hour * hourMs)),
    /** `Jan 5, 2026` */
    date: (day: CalendarDate): string => date.format(wallTimeOf(day)),
    /** `Jan 5 – Feb 3, 2026` */
    dateRange: (first: CalendarDate, last: CalendarDate): string =>
      date.formatRange(wallTimeOf(first), wallTimeOf(last)),
    /** `Jan 5` */
    shortDate: (day: CalendarDate): string => shortDate.format(wallTimeOf(day)),
    /** `Jan 2026` */
    month: (of: Month): string => month.format(firstDayOf(of)),
    /** `January` */
    monthName: (of: Month): string => monthName.format(firstDayOf(of)),
    /** An instant with the name of its time zone: `Jan 5, 2026, 3:04 PM EST`. */
    dateTime(at: number, timeZone: string): string {
      const format = times.get(timeZone) ?? dates({ ...timeOptions, timeZone });
      times.set(timeZone, format);
      return withPlainSpaces(format.format(at));
    },
    /**
     * A time from now: `in 40 seconds`, `3 minutes ago`. Rounds up, so a wait is not too short, and an age is not too long.
     *
     * @param ms negative in the past
     */
    relativeTime(ms: number): string {
      const { perUnit, unit } = unitFor(Math.abs(ms));
      const amount = Math.ceil(ms / perUnit);
      // The shortest time is a second, so the text is never "in 0 seconds".
      return withPlainSpaces(relative.format(amount === 0 ? -1 : amount, unit));
    },
  };
}

const firstDayOf = ({ year, month }: Month) => wallTimeOf({ year, month, day: 1 });

const timeOptions = {
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
} as const satisfies Intl.DateTimeFormatOptions;

/** Keeps rounding from turning a few into 0% and almost all into 100%. */
function avoidRoundedExtremes(rate: number, format: (rate: number) => string): string {
  const text = format(rate);
  if (rate > 0 && text === format(0)) return `<${format(0.001)}`;
  return rate < 1 && text === format(1) ? `>${format(0.999)}` : text;
}

/** The unit in which a time reads best. */
function unitFor(ms: number): { perUnit: number; unit: Intl.RelativeTimeFormatUnit } {
  if (ms <= 89 * secondMs) return { perUnit: secondMs, unit: "second" };
  if (ms <= 90 * minuteMs) return { perUnit: minuteMs, unit: "minute" };
  if (ms <= 36 * hourMs) return { perUnit: hourMs, unit: "hour" };
  if (ms <= 60 * dayMs) return { perUnit: dayMs, unit: "day" };
  return ms <= 730 * dayMs
    ? { perUnit: 30.5 * dayMs, unit: "month" }
    : { perUnit: 365.25 * dayMs, unit: "year" };
}

/** A real minus sign. */
function withMinus(text: string): string {
  return text.replace("-", "−");
}

/** ICU separates parts of times with thin and narrow spaces. */
function withPlainSpaces(text: string): string {
  return text.replaceAll(/\s/g, " ");
}
