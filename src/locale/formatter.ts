// Formats numbers and dates in a language, by `Intl`.

import { type CalendarDate, wallTimeOf } from "../campaign/calendar/calendar-date.ts";
import { dayMs, hourMs, minuteMs, secondMs } from "../campaign/calendar/durations.ts";
import type { Month } from "../campaign/calendar/months.ts";

const oneDecimal = { minimumFractionDigits: 1, maximumFractionDigits: 1 } as const;

/** Formats are expensive to create, so there is one object per language and region. */
export class Formatter {
  readonly #language: string;
  readonly #count: Intl.NumberFormat;
  readonly #mean: Intl.NumberFormat;
  readonly #rate: Intl.NumberFormat;
  readonly #fineRate: Intl.NumberFormat;
  readonly #roundRate: Intl.NumberFormat;
  readonly #shortDate: Intl.DateTimeFormat;
  readonly #index: Intl.NumberFormat;
  readonly #relativeChange: Intl.NumberFormat;
  readonly #pointChange: Intl.NumberFormat;
  readonly #weekday: Intl.DateTimeFormat;
  readonly #hourOfDay: Intl.DateTimeFormat;
  readonly #date: Intl.DateTimeFormat;
  readonly #month: Intl.DateTimeFormat;
  readonly #monthName: Intl.DateTimeFormat;
  readonly #relative: Intl.RelativeTimeFormat;
  /** The formats by time zone. There are at most a few hundred zones. */
  readonly #times = new Map<string, Intl.DateTimeFormat>();

  /** @param language a BCP 47 tag */
  constructor(language: string) {
    const numbers = (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(language, options);
    this.#language = language;
    this.#count = numbers({});
    this.#mean = numbers({ minimumFractionDigits: 1, maximumFractionDigits: 2 });
    // Intl rounds the decimal that is written: 0.2905 is 29.1%. d3-format multiplies first and gives 29.0%.
    this.#rate = numbers({ ...oneDecimal, style: "percent" });
    this.#fineRate = numbers({ minimumFractionDigits: 2, maximumFractionDigits: 3, style: "percent" });
    this.#roundRate = numbers({ maximumFractionDigits: 1, style: "percent" });
    this.#index = numbers({ maximumFractionDigits: 0, signDisplay: "exceptZero" });
    this.#pointChange = numbers({ ...oneDecimal, signDisplay: "exceptZero" });
    this.#relativeChange = numbers({ maximumFractionDigits: 1, signDisplay: "exceptZero", style: "percent" });
    this.#weekday = new Intl.DateTimeFormat(language, { timeZone: "UTC", weekday: "short" });
    this.#hourOfDay = new Intl.DateTimeFormat(language, { timeZone: "UTC", hour: "numeric" });
    const utc = { timeZone: "UTC", year: "numeric", month: "short" } as const;
    this.#date = new Intl.DateTimeFormat(language, { ...utc, day: "numeric" });
    this.#month = new Intl.DateTimeFormat(language, utc);
    this.#monthName = new Intl.DateTimeFormat(language, { timeZone: "UTC", month: "long" });
    this.#shortDate = new Intl.DateTimeFormat(language, { timeZone: "UTC", month: "short", day: "numeric" });
    this.#relative = new Intl.RelativeTimeFormat(language);
  }

  /** A whole number with thousands separators. */
  count(value: number): string {
    return this.#count.format(value);
  }

  /** A rate from 0 to 1 as a percentage with one decimal. */
  rate(value: number): string {
    return avoidRoundedExtremes(value, this.#rate);
  }

  /** A small rate as a percentage with two or three decimals: limits of complaints are 0.1% and 0.3%. */
  fineRate(value: number): string {
    return this.#fineRate.format(value);
  }

  /** A rate from 0 to 1 as a percentage, with a decimal only if it has one: for round steps. */
  roundRate(value: number): string {
    return this.#roundRate.format(value);
  }

  /** A mean with one or two decimals. */
  mean(value: number): string {
    return this.#mean.format(value);
  }

  /** An index from -100 to 100, rounded and signed. */
  index(value: number): string {
    return withMinus(this.#index.format(value));
  }

  /** A change of a count or a mean, as a share of it: `+4.1%`. */
  relativeChange(change: number): string {
    return withMinus(this.#relativeChange.format(change));
  }

  /** A change in points, with one decimal: `+4.1`. */
  pointChange(points: number): string {
    return withMinus(this.#pointChange.format(points));
  }

  /** A day of the week from 0, Monday, to 6: `Mon`. */
  weekday(day: number): string {
    // January 5, 1970 was a Monday.
    return this.#weekday.format((day + 4) * dayMs);
  }

  /** An hour of the day from 0 to 23: `3 PM`. */
  hourOfDay(hour: number): string {
    return withPlainSpaces(this.#hourOfDay.format(hour * hourMs));
  }

  /** `Jan 5, 2026` */
  date(date: CalendarDate): string {
    return this.#date.format(wallTimeOf(date));
  }

  /** `Jan 5 – Feb 3, 2026` */
  dateRange(first: CalendarDate, last: CalendarDate): string {
    return this.#date.formatRange(wallTimeOf(first), wallTimeOf(last));
  }

  /** `Jan 5` */
  shortDate(date: CalendarDate): string {
    return this.#shortDate.format(wallTimeOf(date));
  }

  /** `Jan 2026` */
  month({ year, month }: Month): string {
    return this.#month.format(wallTimeOf({ year, month, day: 1 }));
  }

  /** `January` */
  monthName({ year, month }: Month): string {
    return this.#monthName.format(wallTimeOf({ year, month, day: 1 }));
  }

  /** An instant with the name of its time zone: `Jan 5, 2026, 3:04 PM EST`. */
  dateTime(at: number, timeZone: string): string {
    return withPlainSpaces(this.#timeFormat(timeZone).format(at));
  }

  /**
   * A time from now: `in 40 seconds`, `3 minutes ago`. Rounds up, so a wait is not too short, and an age is not too long.
   *
   * @param ms negative in the past
   */
  relativeTime(ms: number): string {
    const { perUnit, unit } = unitFor(Math.abs(ms));
    const amount = Math.ceil(ms / perUnit);
    // The shortest time is a second, so the text is never "in 0 seconds".
    return withPlainSpaces(this.#relative.format(amount === 0 ? -1 : amount, unit));
  }

  #timeFormat(timeZone: string): Intl.DateTimeFormat {
    const format =
      this.#times.get(timeZone) ?? new Intl.DateTimeFormat(this.#language, { timeZone, ...timeOptions });
    this.#times.set(timeZone, format);
    return format;
  }
}

const timeOptions = {
  year: "numeric",
  month: "short",
  day: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "short",
} as const satisfies Intl.DateTimeFormatOptions;

/** Keeps rounding from turning a few into 0% and almost all into 100%. */
function avoidRoundedExtremes(rate: number, format: Intl.NumberFormat): string {
  const text = format.format(rate);
  if (rate > 0 && text === format.format(0)) return `<${format.format(0.001)}`;
  return rate < 1 && text === format.format(1) ? `>${format.format(0.999)}` : text;
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
