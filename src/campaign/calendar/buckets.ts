// The days, weeks, months or years into which a chart divides a period.

import { addDays, type CalendarDate, daysBetween, startOfDay, wallTimeOf } from "./calendar-date.ts";
import { addMonths } from "./months.ts";
import { type DateSpan, monthName } from "./period.ts";

export type BucketUnit = "day" | "week" | "month" | "year";

export interface Buckets {
  unit: BucketUnit;
  /** The spans are consecutive. Those at the ends may be cut. */
  spans: DateSpan[];
}

/** The longest period, in days, that each unit divides: a chart has room for some thirty or forty of them. */
const maxDays: readonly (readonly [BucketUnit, number])[] = [
  ["day", 16],
  ["week", 190],
  ["month", 5 * 366],
];

/** Campaigns of any year from 1 to 9999 can be imported; the chart shows the last ones. */
const maxYears = 60;

/** Divides a span, by default in units that suit its length. Buckets that start after today are left out. */
export function divide(span: DateSpan, today: CalendarDate, unit: BucketUnit = unitOf(span)): Buckets {
  const end = daysBetween(today, span.last) > 0 ? today : span.last;
  const earliest = { year: end.year - maxYears + 1, month: 1, day: 1 };
  let first = unit === "year" && daysBetween(span.first, earliest) > 0 ? earliest : span.first;
  const spans: DateSpan[] = [];
  while (daysBetween(first, end) >= 0) {
    const next = startOfNext(first, unit);
    const last = addDays(next, -1);
    spans.push({ first, last: daysBetween(last, span.last) < 0 ? span.last : last });
    first = next;
  }
  return { unit, spans };
}

/** Divides like {@link divide}, but the last bucket is whole even if the last campaign was sent earlier. */
export function divideAll(span: DateSpan, today: CalendarDate): Buckets {
  const { unit, spans } = divide(span, today);
  const whole = ({ first }: DateSpan) => ({ first, last: addDays(startOfNext(first, unit), -1) });
  return { unit, spans: [...spans.slice(0, -1), ...spans.slice(-1).map(whole)] };
}

/** Divides into whole months, or into quarters if these are more than a table has room for. */
export function divideForTable({ first, last }: DateSpan): DateSpan[] {
  const months = daysBetween(first, last) > 400 ? 3 : 1;
  const spans: DateSpan[] = [];
  let start = { ...first, month: first.month - ((first.month - 1) % months), day: 1 };
  while (daysBetween(start, last) >= 0) {
    const next = { ...addMonths(start, months), day: 1 };
    spans.push({ first: start, last: addDays(next, -1) });
    start = next;
  }
  return spans.slice(-maxYears);
}

/** More buckets are too close to each other to be told apart. */
const maxFiner = 120;

/** The same dates in the next smaller unit; undefined for days, weeks, and too many buckets. */
export function divideFiner({ unit, spans }: Buckets, today: CalendarDate): Buckets | undefined {
  const [start, end] = [spans[0], spans.at(-1)];
  if (!start || !end || unit === "day" || unit === "week") return undefined;
  const smaller = divide({ first: start.first, last: end.last }, today, unit === "year" ? "month" : "week");
  return smaller.spans.length > maxFiner ? undefined : smaller;
}

function unitOf({ first, last }: DateSpan): BucketUnit {
  const days = daysBetween(first, last) + 1;
  return maxDays.find(([, most]) => days <= most)?.[0] ?? "year";
}

function startOfNext(date: CalendarDate, unit: BucketUnit): CalendarDate {
  switch (unit) {
    case "day":
      return addDays(date, 1);
    case "week":
      return addDays(date, 7 - weekdayOf(date));
    case "month":
      return { ...addMonths(date, 1), day: 1 };
    case "year":
      return { year: date.year + 1, month: 1, day: 1 };
  }
}

/** Returns 0 (Monday) to 6. */
function weekdayOf(date: CalendarDate): number {
  return (new Date(wallTimeOf(date)).getUTCDay() + 6) % 7;
}

/** The instants at which the buckets start, and the end of the last. */
export function startsOf(spans: readonly DateSpan[], timeZone: string): number[] {
  const last = spans.at(-1);
  const end = last ? [startOfDay(addDays(last.last, 1), timeZone)] : [];
  return [...spans.map(({ first }) => startOfDay(first, timeZone)), ...end];
}

/** The value of `period` in URLs; undefined if a bucket is not a whole month or year. */
export function periodOfBucket({ first, last }: DateSpan, unit: BucketUnit): string | undefined {
  const isStart = first.day === 1;
  const isEnd = addDays(last, 1).day === 1;
  if (!isStart || !isEnd) return undefined;
  if (unit === "month") return monthName(first);
  const isYear = unit === "year" && first.month === 1 && last.month === 12;
  return isYear ? monthName(first).slice(0, 4) : undefined;
}
