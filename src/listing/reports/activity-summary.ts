// Summarizes counts per quarter hour: by hour, by day and by verdict.

import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type CalendarDate,
  dateAt,
  dateOfWallTime,
  wallTimeOf,
} from "../../campaign/calendar/calendar-date.ts";
import { hourMs } from "../../campaign/calendar/durations.ts";
import { startOfHour } from "../../campaign/calendar/hours.ts";
import {
  type Activity,
  describeVerdict,
  startOfQuarter,
  verdictMeanings,
} from "../../campaign/events/activity.ts";
import type { HourCount } from "../../campaign/events/hour-counts.ts";

export interface ActivitySummary {
  /** The first {@link hoursShown} hours of local time from the sending on; empty if all are without activity. */
  hours: ({ at: number } & Record<Activity, ActivityCounts>)[];
  /** The latest {@link daysShown} days of local time with activity. */
  days: ({ date: CalendarDate } & Record<Activity, ActivityCounts>)[];
  /** Human verdicts first, then in the order of {@link verdictMeanings}. */
  verdicts: {
    verdict: string;
    isHuman: boolean;
    open: number;
    click: number;
  }[];
}

interface ActivityCounts {
  human: number;
  automated: number;
}

export const hoursShown = 72;

/** Senders may report events of any day in the past, so the list needs a bound. */
export const daysShown = 400;

/**
 * Yields to the event loop between batches.
 *
 * @param batches in order of time
 */
export async function summarizeActivity(
  batches: Iterable<readonly HourCount[]>,
  sentAt: number,
  timeZone: string,
): Promise<ActivitySummary> {
  const counter = new ActivityCounter(sentAt, timeZone);
  for (const batch of batches) {
    // A reclassified click is subtracted in one part and added in another. If that happens between two reads, a count
    // can be negative.
    for (const each of batch) if (each.count > 0) counter.add(each);
    await nextTurn();
  }
  return { hours: counter.hours(), days: counter.days(), verdicts: counter.verdicts() };
}

const noActivity = (): Record<Activity, ActivityCounts> => ({
  open: { human: 0, automated: 0 },
  click: { human: 0, automated: 0 },
});

/** Activity up to this long before the sending belongs to its first hour. Earlier activity is only in the days. */
const maxEarlyMs = hourMs;

class ActivityCounter {
  readonly #firstHour: number;
  readonly #earliest: number;
  readonly #timeZone: string;
  readonly #hours = new Map<number, Record<Activity, ActivityCounts>>();
  /** The counts of each day, by the wall time of its midnight. */
  readonly #days = new Map<number, Record<Activity, ActivityCounts>>();
  readonly #verdicts = new Map<string, Record<Activity, number>>();
  /** Counts come in order of time, so consecutive ones often share a quarter. */
  #previous = { quarter: Number.NaN, day: 0 };

  constructor(sentAt: number, timeZone: string) {
    this.#firstHour = startOfHour(sentAt, timeZone);
    this.#earliest = startOfQuarter(sentAt) - maxEarlyMs;
    this.#timeZone = timeZone;
  }

  add({ quarter, activity, verdict, count }: HourCount): void {
    const kind = describeVerdict(verdict).isHuman ? "human" : "automated";
    const hour = Math.max(Math.floor((quarter - this.#firstHour) / hourMs), 0);
    if (quarter >= this.#earliest && hour < hoursShown) {
      getOrAdd(this.#hours, this.#firstHour + hour * hourMs, noActivity)[activity][kind] += count;
    }
    getOrAdd(this.#days, this.#dayOf(quarter), noActivity)[activity][kind] += count;
    getOrAdd(this.#verdicts, verdict, () => ({ open: 0, click: 0 }))[activity] += count;
  }

  #dayOf(quarter: number): number {
    if (this.#previous.quarter !== quarter) {
      const day = wallTimeOf(dateAt(quarter, this.#timeZone));
      this.#previous = { quarter, day };
    }
    return this.#previous.day;
  }

  hours(): ActivitySummary["hours"] {
    const length = this.#hours.size === 0 ? 0 : hoursShown;
    return Array.from({ length }, (_, hour) => {
      const at = this.#firstHour + hour * hourMs;
      return { at, ...(this.#hours.get(at) ?? noActivity()) };
    });
  }

  days(): ActivitySummary["days"] {
    return [...this.#days]
      .slice(-daysShown)
      .map(([day, counts]) => ({ date: dateOfWallTime(day), ...counts }));
  }

  verdicts(): ActivitySummary["verdicts"] {
    const order = Object.keys(verdictMeanings);
    const rankOf = (verdict: string) => (order.includes(verdict) ? order.indexOf(verdict) : order.length);
    return [...this.#verdicts]
      .map(([verdict, counts]) => ({ verdict, isHuman: describeVerdict(verdict).isHuman, ...counts }))
      .sort((a, b) => Number(b.isHuman) - Number(a.isHuman) || rankOf(a.verdict) - rankOf(b.verdict));
  }
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const value = map.get(key) ?? create();
  map.set(key, value);
  return value;
}
