// The names of CSV files: two files of other dates or of other traffic must not look the same in a folder.

import { isoDay } from "../../../campaign/calendar/calendar-date.ts";
import type { NamedPeriod } from "../../../campaign/calendar/period.ts";
import type { TrafficFilter } from "../../../campaign/events/traffic.ts";

/** The words of the pages, in English for all languages, because a program may look for them. */
const trafficNames = { people: "human", all: "all-activity" } as const satisfies Record<
  TrafficFilter,
  string
>;

/**
 * What a file has, its dates and its traffic: `campaigns-2026-10-01-to-2026-12-31-human.csv`.
 *
 * @param of the filters of the page; without the traffic if no number depends on it
 */
export function csvFileName(
  what: string,
  { period, traffic }: { period?: NamedPeriod; traffic?: TrafficFilter },
): string {
  const parts = [what, period && datesOf(period), traffic && trafficNames[traffic]];
  return `${parts.filter(Boolean).join("-")}.csv`;
}

function datesOf({ name, span, from }: NamedPeriod): string {
  if (!span) return "all-time";
  const last = isoDay(span.last);
  return name === undefined && from === undefined ? `until-${last}` : `${isoDay(span.first)}-to-${last}`;
}
