// Counts of opens and clicks per quarter hour, activity and verdict. They are stored as encoded text in parts; the sum of
// all parts is the whole.

import { quarterHourMs } from "../calendar/durations.ts";
import { type Activity, startOfQuarter } from "./activity.ts";

export interface HourCount {
  /** The instant at which the quarter hour starts. */
  quarter: number;
  activity: Activity;
  /** Another version of the program may have stored a verdict that this version lacks. */
  verdict: string;
  /** The number of events, which is never 0, but can be negative in a single part. */
  count: number;
}

/**
 * JSON by activity and verdict: pairs of a quarter hour, numbered since 1970, and its count:
 * `{"open":{"person":[1983456,2]}}`.
 */
type EncodedPart = Record<string, Record<string, number[]>>;

export class HourCounts {
  /** The counts by activity, verdict and number of the quarter hour. */
  readonly #counts = new Map<string, Map<string, Map<number, number>>>();

  add(activity: Activity, verdict: string, at: number, count: number): void {
    addCount(this.#countsOf(activity, verdict), startOfQuarter(at) / quarterHourMs, count);
  }

  /** @param part from {@link encode} */
  addEncoded(part: string): void {
    for (const [activity, verdict, pairs] of entriesOfPart(part)) {
      const counts = this.#countsOf(activity, verdict);
      for (let index = 0; index < pairs.length; index += 2) {
        addCount(counts, pairs[index] as number, pairs[index + 1] as number);
      }
    }
  }

  isEmpty(): boolean {
    return this.#entries().next().done === true;
  }

  /** Leaves out counts of 0. */
  encode(): string {
    const part: EncodedPart = {};
    for (const [activity, verdict, pairs] of this.#entries()) {
      part[activity] ??= {};
      part[activity][verdict] = pairs;
    }
    return JSON.stringify(part);
  }

  /** Returns the counts in order of time, without counts of 0. */
  list(): HourCount[] {
    const list: HourCount[] = [];
    for (const [activity, verdict, pairs] of this.#entries()) {
      for (let index = 0; index < pairs.length; index += 2) {
        const quarter = (pairs[index] as number) * quarterHourMs;
        list.push({ quarter, activity: activity as Activity, verdict, count: pairs[index + 1] as number });
      }
    }
    return list.sort((a, b) => a.quarter - b.quarter);
  }

  /** Every activity and verdict with its pairs of a quarter hour and its count, without counts of 0. */
  *#entries(): Generator<[activity: string, verdict: string, pairs: number[]]> {
    for (const [activity, verdicts] of this.#counts) {
      for (const [verdict, counts] of verdicts) {
        const pairs: number[] = [];
        for (const [number, count] of counts) if (count !== 0) pairs.push(number, count);
        if (pairs.length > 0) yield [activity, verdict, pairs];
      }
    }
  }

  #countsOf(activity: string, verdict: string): Map<number, number> {
    const verdicts = this.#counts.get(activity) ?? new Map<string, Map<number, number>>();
    this.#counts.set(activity, verdicts);
    const counts = verdicts.get(verdict) ?? new Map<number, number>();
    verdicts.set(verdict, counts);
    return counts;
  }
}

/** Every activity and verdict of an encoded part, with pairs of a quarter hour, numbered since 1970, and its count. */
export function* entriesOfPart(
  part: string,
): Generator<[activity: string, verdict: string, pairs: number[]]> {
  for (const [activity, verdicts] of Object.entries(JSON.parse(part) as EncodedPart)) {
    for (const [verdict, pairs] of Object.entries(verdicts)) yield [activity, verdict, pairs];
  }
}

function addCount(counts: Map<number, number>, number: number, count: number): void {
  counts.set(number, (counts.get(number) ?? 0) + count);
}
