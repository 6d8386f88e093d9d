// The campaigns with the best and the worst open rate.

import { dayMs } from "../../campaign/calendar/durations.ts";
import { emptyTally } from "../../campaign/events/tally.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import { derivations } from "../../campaign/metrics.ts";
import { type NumbersChunk, valuesOfField } from "./numbers-chunk.ts";
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
  { parts }: Selection,
  traffic: TrafficFilter,
  { now, limit }: { now: number; limit: number },
): BestAndWorst {
  const highest = new Ranking(-1, limit);
  // The best of a few campaigns may be among the worst as well.
  const lowest = new Ranking(1, 2 * limit);
  let ranked = 0;
  for (const { chunk, positions } of parts) {
    const openRateOf = openRatesIn(chunk, traffic);
    for (const position of positions) {
      if ((chunk.times[position] as number) > now - minAgeMs) break;
      const openRate = openRateOf(position);
      if (openRate === null) continue;
      ranked += 1;
      const id = chunk.ids[position] as number;
      highest.add(id, openRate);
      lowest.add(id, openRate);
    }
  }
  const best = highest.campaigns.slice(0, Math.ceil(ranked / 2));
  const listed = new Set(best.map(({ id }) => id));
  return { best, worst: lowest.campaigns.filter(({ id }) => !listed.has(id)).slice(0, limit) };
}

/** The open rates of the campaigns of a chunk, by position; null if a campaign cannot be ranked. */
function openRatesIn(chunk: NumbersChunk, traffic: TrafficFilter): (position: number) => number | null {
  const { kind } = chunk.texts;
  const recipients = valuesOfField(chunk, "recipientCount");
  const reported = valuesOfField(chunk, "reported.open_rate");
  const opens = valuesOfField(chunk, `${traffic}.uniqueOpens`);
  const tally = { ...emptyTally };
  return (position) => {
    const recipientCount = recipients[position] as number;
    if (!(recipientCount >= minRecipients)) return null;
    if (kind.values[kind.codes[position] as number] !== "reported") {
      tally.uniqueOpens = opens[position] as number;
      return derivations.open_rate(tally, recipientCount);
    }
    const openRate = reported[position] as number;
    return Number.isNaN(openRate) ? null : openRate;
  };
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
