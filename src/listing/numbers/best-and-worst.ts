// The campaigns with the best and the worst open rate.

import { dayMs } from "../../campaign/calendar/durations.ts";
import { emptyTally } from "../../campaign/events/tally.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import { derivations } from "../../campaign/metrics.ts";
import { CampaignReader } from "./campaign-reader.ts";
import type { Selection } from "./select.ts";
import { selectPage } from "./select-page.ts";

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
  const ranked = rankable(selection, traffic, now);
  const pick = (sign: number, length: number) => {
    const compare = (a: number, b: number) => {
      const difference = (ranked[a] as RankedCampaign).openRate - (ranked[b] as RankedCampaign).openRate;
      return sign * difference || b - a;
    };
    return selectPage(ranked.length, compare, 0, length).map((index) => ranked[index] as RankedCampaign);
  };
  const best = pick(-1, Math.min(limit, Math.ceil(ranked.length / 2)));
  const listed = new Set(best);
  const worst = pick(1, Math.min(2 * limit, ranked.length)).filter((campaign) => !listed.has(campaign));
  return { best, worst: worst.slice(0, limit) };
}

/** Oldest first. */
function rankable({ parts }: Selection, traffic: TrafficFilter, now: number): RankedCampaign[] {
  const reader = new CampaignReader(traffic, ["open_rate"], ["uniqueOpens"]);
  const tally = { ...emptyTally };
  const ranked: RankedCampaign[] = [];
  for (const { chunk, positions } of parts) {
    reader.use(chunk);
    for (const position of positions) {
      if ((chunk.times[position] as number) > now - minAgeMs) break;
      const { recipientCount, numbers } = reader.read(position);
      if (recipientCount === null || recipientCount < minRecipients) continue;
      if ("tally" in numbers) tally.uniqueOpens = numbers.tally.uniqueOpens;
      const openRate =
        "tally" in numbers ? derivations.open_rate(tally, recipientCount) : numbers.reported.open_rate;
      if (openRate !== null) ranked.push({ id: chunk.ids[position] as number, openRate });
    }
  }
  return ranked;
}
