// The campaigns that are best and worst by a number.

import { dayMs } from "../../campaign/calendar/durations.ts";
import { valuesOfField } from "./numbers-chunk.ts";
import type { Selection } from "./select.ts";

/** A campaign that was sent later is still being opened. */
const minAgeMs = dayMs;
/** The rate of a test sending to fewer says nothing. */
const minRecipients = 10;

/** The ids of campaigns. */
export interface BestAndWorst {
  best: number[];
  /** The worst first. Without those that are among the best. */
  worst: number[];
}

/**
 * The campaigns of a selection with the highest and the lowest values, sent at least a day ago to at least
 * {@link minRecipients} recipients. Of campaigns with the same value, the newest come first.
 *
 * @param values of the selected campaigns, in their order; NaN for none
 */
export function bestAndWorst(
  { parts }: Selection,
  values: Float64Array,
  { now, limit }: { now: number; limit: number },
): BestAndWorst {
  const highest = new Ranking(-1, limit);
  // The best of a few campaigns may be among the worst as well.
  const lowest = new Ranking(1, 2 * limit);
  let [ranked, start] = [0, 0];
  for (const { chunk, positions } of parts) {
    const recipients = valuesOfField(chunk, "recipientCount");
    for (const [index, position] of positions.entries()) {
      if ((chunk.times[position] as number) > now - minAgeMs) break;
      const value = values[start + index] as number;
      if (Number.isNaN(value) || !((recipients[position] as number) >= minRecipients)) continue;
      ranked += 1;
      const id = chunk.ids[position] as number;
      highest.add(id, value);
      lowest.add(id, value);
    }
    start += positions.length;
  }
  const best = highest.ids.slice(0, Math.ceil(ranked / 2));
  const listed = new Set(best);
  return { best, worst: lowest.ids.filter((id) => !listed.has(id)).slice(0, limit) };
}

/** The first campaigns in the order of their values. */
class Ranking {
  readonly #campaigns: { id: number; value: number }[] = [];
  readonly #sign: 1 | -1;
  readonly #limit: number;

  /** @param sign -1 for the highest values first */
  constructor(sign: 1 | -1, limit: number) {
    this.#sign = sign;
    this.#limit = limit;
  }

  get ids(): number[] {
    return this.#campaigns.map(({ id }) => id);
  }

  /** Call it with the oldest campaign first. */
  add(id: number, value: number): void {
    const campaigns = this.#campaigns;
    const last = campaigns.at(-1);
    if (last && this.#isBefore(last.value, value)) {
      if (campaigns.length < this.#limit) campaigns.push({ id, value });
      return;
    }
    const at = campaigns.findIndex((each) => !this.#isBefore(each.value, value));
    campaigns.splice(Math.max(at, 0), 0, { id, value });
    if (campaigns.length > this.#limit) campaigns.pop();
  }

  #isBefore(one: number, other: number): boolean {
    return this.#sign * (one - other) < 0;
  }
}
