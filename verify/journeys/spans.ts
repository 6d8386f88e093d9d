// The spans of days that the journeys choose, computed from the clock of the demo.

import type { DemoSite } from "../../test/support/demo-site.ts";

/** Dates like `2026-01-31`. Both are in the span. */
export interface Span {
  from: string;
  until: string;
}

/** The records of campaigns sent in a span, newest first. */
export const sentIn = ({ records }: Pick<DemoSite, "records">, { from, until }: Span) =>
  records.filter(({ sent_on }) => sent_on >= from && sent_on <= until);

export function last90Days(demo: DemoSite): Span {
  const today = todayOf(demo);
  return { from: isoDate(Date.parse(today) - 89 * 86_400_000), until: today };
}

export function thisQuarter(demo: DemoSite): Span {
  const { year, month } = monthOf(demo);
  return months(year, month - ((month - 1) % 3), 3);
}

export function lastMonth(demo: DemoSite): Span {
  const { year, month } = monthOf(demo);
  return months(year, month - 1, 1);
}

/** A span as pages show it: `Jan 1 – Mar 31, 2026`. */
export function rangeText({ from, until }: Span): string {
  const dates = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" });
  return dates.formatRange(Date.parse(from), Date.parse(until));
}
/** `Jan 2026` */
export const monthText = (date: string): string => format(date, { year: "numeric", month: "short" });

function format(date: string, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat("en", { ...options, timeZone: "UTC" }).format(Date.parse(date));
}

/** The time of the demo's clock as pages show it, with the zone: `Jan 31, 2026, 3:04 PM GMT+1`. */
export function nowText({ site, organization: { timeZone } }: DemoSite): string {
  const time = { hour: "numeric", minute: "2-digit", timeZoneName: "short" } as const;
  const options = { timeZone, year: "numeric", month: "short", day: "numeric", ...time } as const;
  return new Intl.DateTimeFormat("en", options).format(site.world.clock.now).replaceAll(/\s/g, " ");
}

function todayOf({ site, organization: { timeZone } }: DemoSite): string {
  // Sweden writes dates like ISO 8601.
  return new Intl.DateTimeFormat("sv", { timeZone }).format(site.world.clock.now);
}

function monthOf(demo: DemoSite): { year: number; month: number } {
  const [year = 0, month = 0] = todayOf(demo).split("-").map(Number);
  return { year, month };
}

/** @param month from 1; months before are of the year before */
function months(year: number, month: number, count: number): Span {
  return {
    from: isoDate(Date.UTC(year, month - 1)),
    until: isoDate(Date.UTC(year, month - 1 + count) - 86_400_000),
  };
}

const isoDate = (at: number) => new Date(at).toISOString().slice(0, 10);
