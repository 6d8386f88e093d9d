// The campaigns with the best and the worst open rate.

import { dayMs } from "../../campaign/calendar/durations.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import { valuesOf } from "./number-values.ts";
import { valuesOfField } from "./numbers-chunk.ts";
import type { Selection } from "./select.ts";

/** A campaign that was sent later is still being opened. */
const minAgeMs = dayMs;
/** The rate of a test sending to fewer says nothing. */
const minRecipients = 10;

export interface RankedCampaign {
  id: number;
  openRate: number;
}

export interface BestAndWorst {
  best: RankedCampaign[];
  /** The worst first. Without those that are among the best. */
  worst: RankedCampaign[];
}

/**
 * The campaigns of a selection with the best and the worst open rate, sent at least a day ago to at least
 * {@link minRecipients} recipients. Of campaigns with the same rate, the newest come first.
 */
export function bestAndWorst(
  selection: Selection,
  traffic: TrafficFilter,
  { now, limit }: { now: number; limit: number },
): BestAndWorst {
  const highest = new Ranking(-1, limit);
  // The best of a few campaigns may be among the worst as well.
  const lowest = new Ranking(1, 2 * limit);
  const openRates = valuesOf(selection, traffic, "openRate");
  let [ranked, start] = [0, 0];
  for (const { chunk, positions } of selection.parts) {
    const recipients = valuesOfField(chunk, "recipientCount");
    for (const [index, position] of positions.entries()) {
      if ((chunk.times[position] as number) > now - minAgeMs) break;
      const openRate = openRates[start + index] as number;
      if (Number.isNaN(openRate) || !((recipients[position] as number) >= minRecipients)) continue;
      ranked += 1;
      const id = chunk.ids[position] as number;
      highest.add(id, openRate);
      lowest.add(id, openRate);
    }
    start += positions.length;
  }
  const best = highest.campaigns.slice(0, Math.ceil(ranked / 2));
  const listed = new Set(best.map(({ id }) => id));
  return { best, worst: lowest.campaigns.filter(({ id }) => !listed.has(id)).slice(0, limit) };
}

/** The first campaigns in the order of their rates. */
class Ranking {
  readonly campaigns: RankedCampaign[] = [];
  readonly #sign: 1 | -1;
  readonly #limit: number;

  /** @param sign -1 for the highest rates first */
  constructor(sign: 1 | -1, limit: number) {
    this.#sign = sign;
    this.#limit = limit;
  }

  /** Call it with the oldest campaign first. */
  add(id: number, openRate: number): void {
    const { campaigns } = this;
    const last = campaigns.at(-1);
    if (last && this.#isBefore(last, openRate)) {
      if (campaigns.length < this.#limit) campaigns.push({ id, openRate });
      return;
    }
    const at = campaigns.findIndex((each) => !this.#isBefore(each, openRate));
    campaigns.splice(Math.max(at, 0), 0, { id, openRate });
    if (campaigns.length > this.#limit) campaigns.pop();
  }

  #isBefore({ openRate: earlier }: RankedCampaign, openRate: number): boolean {
    return this.#sign * (earlier - openRate) < 0;
  }
}
