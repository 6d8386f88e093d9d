// How often something happened to a campaign, by quarters of an hour, activity and verdict; and as the text in which it is
// stored, in parts of which any number add up to the whole.

import { quarterHourMs } from "../calendar/durations.ts";
import { type Activity, startOfQuarter } from "./activity.ts";

/** What happened in one quarter, by one activity and verdict. */
export interface HourCount {
  /** The instant at which a quarter of an hour begins. */
  quarter: number;
  activity: Activity;
  /** Who was at work; what another version of the program has stored may be none of the verdicts that are known here. */
  verdict: string;
  /** Never 0; in a part it may be below. */
  count: number;
}

/**
 * JSON: by activity and verdict, numbers of quarters since 1970, each followed by its count:
 * `{"open":{"person":[1983456,2]}}`.
 */
type EncodedPart = Record<string, Record<string, number[]>>;

export class HourCounts {
  /** By activity, by verdict, and by the number of the quarter. */
  readonly #counts = new Map<string, Map<string, Map<number, number>>>();

  add(activity: Activity, verdict: string, at: number, count: number): void {
    addTo(this.#of(activity, verdict), startOfQuarter(at) / quarterHourMs, count);
  }

  /** @param part as {@link encode} has made it */
  addEncoded(part: string): void {
    for (const [activity, verdicts] of Object.entries(JSON.parse(part) as EncodedPart)) {
      for (const [verdict, numbers] of Object.entries(verdicts)) {
        const counts = this.#of(activity, verdict);
        for (let place = 0; place < numbers.length; place += 2) {
          addTo(counts, numbers[place] as number, numbers[place + 1] as number);
        }
      }
    }
  }

  isEmpty(): boolean {
    return this.#each().next().done === true;
  }

  /** What comes to nothing is left out; `{}` where that is all. */
  encode(): string {
    const part: EncodedPart = {};
    for (const [activity, verdict, counts] of this.#each()) {
      part[activity] = { ...part[activity], [verdict]: counts.flat() };
    }
    return JSON.stringify(part);
  }

  /** Each quarter, activity and verdict once, in the order of time. What comes to nothing is left out. */
  list(): HourCount[] {
    const list: HourCount[] = [];
    for (const [activity, verdict, counts] of this.#each()) {
      for (const [number, count] of counts) {
        list.push({ quarter: number * quarterHourMs, activity: activity as Activity, verdict, count });
      }
    }
    return list.sort((a, b) => a.quarter - b.quarter);
  }

  /** Each activity and verdict, with the quarters and counts that are not 0. */
  *#each(): Generator<[activity: string, verdict: string, [number, number][]]> {
    for (const [activity, verdicts] of this.#counts) {
      for (const [verdict, all] of verdicts) {
        const counts = [...all].filter(([, count]) => count !== 0);
        if (counts.length > 0) yield [activity, verdict, counts];
      }
    }
  }

  #of(activity: string, verdict: string): Map<number, number> {
    const verdicts = this.#counts.get(activity) ?? new Map<string, Map<number, number>>();
    this.#counts.set(activity, verdicts);
    const counts = verdicts.get(verdict) ?? new Map<number, number>();
    verdicts.set(verdict, counts);
    return counts;
  }
}

function addTo(counts: Map<number, number>, number: number, count: number): void {
  counts.set(number, (counts.get(number) ?? 0) + count);
}
