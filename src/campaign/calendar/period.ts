// The period of a page: its names in URLs, the dates that it spans, and the span with which it is compared.

import { addDays, type CalendarDate, dateAt, daysBetween, isoDay, startOfDay } from "./calendar-date.ts";
import { addMonths, type Month } from "./months.ts";

/** Both days are in the span. */
export interface DateSpan {
  first: CalendarDate;
  last: CalendarDate;
}

/** A period relative to today. */
type SpanOf = (today: CalendarDate) => DateSpan | undefined;

const lastDays =
  (days: number): SpanOf =>
  (today) => ({ first: addDays(today, 1 - days), last: today });

/** Relative periods, by their value in the URL. The last has no bounds. */
const relativePeriods = {
  "7d": lastDays(7),
  "30d": lastDays(30),
  "90d": lastDays(90),
  month: (today) => monthsFrom(today, 1),
  "last-month": (today) => monthsFrom(addMonths(today, -1), 1),
  quarter: (today) => quarterOf(today),
  "last-quarter": (today) => quarterOf(addMonths(today, -3)),
  year: ({ year }) => monthsFrom({ year, month: 1 }, 12),
  "last-year": ({ year }) => monthsFrom({ year: year - 1, month: 1 }, 12),
  "12m": (today) => monthsFrom(addMonths(today, -11), 12),
  all: () => undefined,
} as const satisfies Record<string, SpanOf>;

export type RelativePeriod = keyof typeof relativePeriods;
export const periodNames = Object.keys(relativePeriods) as RelativePeriod[];

/** What URLs accept as `period`. */
export const acceptedPeriods = [...periodNames, "YYYY", "YYYY-Qn", "YYYY-MM"].join(", ");

/** The first and the last date, either of which may be missing. */
interface CustomDates {
  from?: CalendarDate | undefined;
  until?: CalendarDate | undefined;
}

export interface NamedPeriod extends CustomDates {
  /** The value in the URL; undefined for custom dates. */
  name?: string;
  /** Undefined without bounds. */
  span: DateSpan | undefined;
}

/** The earliest date that a campaign may have. */
const earliest: CalendarDate = { year: 1, month: 1, day: 1 };

/** A period without an end ends today, or on its first day if that is later. */
export function customPeriod({ from = earliest, until }: CustomDates, today: CalendarDate): NamedPeriod {
  const end = daysBetween(from, today) > 0 ? today : from;
  return { from: from === earliest ? undefined : from, until, span: { first: from, last: until ?? end } };
}

/** A period by its value in the URL; undefined if there is none. */
export function namedPeriod(name: string, today: CalendarDate): NamedPeriod | undefined {
  if (Object.hasOwn(relativePeriods, name)) {
    return { name, span: relativePeriods[name as RelativePeriod](today) };
  }
  const match = /^(\d{4})(?:-(?:Q([1-4])|(0[1-9]|1[0-2])))?$/.exec(name);
  if (!match || match[1] === "0000") return undefined;
  const [year, quarter, month] = match.slice(1).map(Number) as [number, number, number];
  if (match[2] !== undefined) return { name, span: monthsFrom({ year, month: 3 * quarter - 2 }, 3) };
  if (match[3] !== undefined) return { name, span: monthsFrom({ year, month }, 1) };
  return { name, span: monthsFrom({ year, month: 1 }, 12) };
}

/** The last 90 days if a campaign was sent in them, otherwise the year of the last campaign. */
export function defaultPeriod(
  lastSentAt: number | undefined,
  today: CalendarDate,
  timeZone: string,
): NamedPeriod {
  const days = namedPeriod("90d", today) as NamedPeriod;
  if (lastSentAt === undefined || !days.span) return days;
  if (lastSentAt >= startOfDay(days.span.first, timeZone)) return days;
  const { year } = dateAt(lastSentAt, timeZone);
  return namedPeriod(String(year).padStart(4, "0"), today) ?? days;
}

/** The value of a month in URLs: `2026-01`. */
export function monthName({ year, month }: Month): string {
  return isoDay({ year, month, day: 1 }).slice(0, 7);
}

/** The instants of a span: from the first (inclusive) to the second (exclusive). */
export function instantsOf(
  span: DateSpan | undefined,
  timeZone: string,
): { sentFrom?: number; sentUntil?: number } {
  if (!span) return {};
  return {
    sentFrom: startOfDay(span.first, timeZone),
    sentUntil: startOfDay(addDays(span.last, 1), timeZone),
  };
}

export const comparisons = ["previous", "year", "none"] as const;
export type Comparison = (typeof comparisons)[number];

/**
 * The span before, or the same span a year before. An unfinished period is compared with as many days of the one before:
 * the first 23 days of November with those of October.
 */
export function comparedSpan(
  { span }: NamedPeriod,
  comparison: Comparison,
  today: CalendarDate,
): DateSpan | undefined {
  if (!span || comparison === "none") return undefined;
  const days = daysBetween(span.first, span.last) + 1;
  const elapsed = Math.min(daysBetween(span.first, today) + 1, days);
  if (elapsed <= 0) return undefined;
  const before = comparison === "year" ? monthsBefore(span, 12) : spanBefore(span, days);
  if (daysBetween(earliest, before.first) < 0) return undefined;
  return elapsed === days ? before : { first: before.first, last: earlier(before, elapsed) };
}

function earlier({ first, last }: DateSpan, days: number): CalendarDate {
  const end = addDays(first, days - 1);
  return daysBetween(end, last) < 0 ? last : end;
}

function spanBefore(span: DateSpan, days: number): DateSpan {
  const months = wholeMonths(span);
  if (months !== undefined) return monthsBefore(span, months);
  return { first: addDays(span.first, -days), last: addDays(span.first, -1) };
}

/** The number of months, if a span is made of whole ones. */
export function wholeMonths({ first, last }: DateSpan): number | undefined {
  if (first.day !== 1 || addDays(last, 1).day !== 1) return undefined;
  return (last.year - first.year) * 12 + last.month - first.month + 1;
}

/** The same dates some months before; the last day of a month stays the last day. */
function monthsBefore({ first, last }: DateSpan, months: number): DateSpan {
  const start = addMonths(first, -months);
  const end = addMonths(last, -months);
  const isLastDay = addDays(last, 1).day === 1;
  const endDay = isLastDay ? daysOf(end) : Math.min(last.day, daysOf(end));
  return {
    first: { ...start, day: Math.min(first.day, daysOf(start)) },
    last: { ...end, day: endDay },
  };
}

function daysOf(month: Month): number {
  return addDays({ ...addMonths(month, 1), day: 1 }, -1).day;
}

function monthsFrom({ year, month }: Month, months: number): DateSpan {
  const first = { year, month, day: 1 };
  return { first, last: addDays({ ...addMonths({ year, month }, months), day: 1 }, -1) };
}

/** The quarter that a month is in. */
function quarterOf({ year, month }: Month): DateSpan {
  return monthsFrom({ year, month: 3 * Math.ceil(month / 3) - 2 }, 3);
}
