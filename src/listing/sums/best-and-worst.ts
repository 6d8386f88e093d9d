// The campaigns whose open rates are best and worst, beyond what chance explains.

import {
  addToSpread,
  areDifferent,
  type Estimate,
  type Ranged,
  shrunkRate,
  spreadOf,
} from "../../campaign/ranges.ts";
import { estimateOf } from "../../campaign/rate-ranges.ts";
import { type RateParts, ratePartNames, readRateParts } from "../../campaign/sum-rates.ts";
import type { EmailKey } from "../../storage/campaigns/emails.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { type CampaignRates, findRates } from "../../storage/sums/find-values.ts";
import type { SumsFilter } from "../../storage/sums/sums-filter.ts";

/** The ids of campaigns. */
export interface BestAndWorst {
  best: number[];
  /** The worst first. */
  worst: number[];
}

/** A campaign with its rate, from which chance is taken. */
interface RankedCampaign extends EmailKey {
  value: number;
  /** Above or below the others; 0 if chance explains the difference. */
  side: -1 | 0 | 1;
}

/**
 * The campaigns with the highest and the lowest values of those that differ from the others.
 * Of campaigns with the same value, the newest come first.
 *
 * @param campaigns newest first
 */
export function bestAndWorst(campaigns: readonly RankedCampaign[], limit: number): BestAndWorst {
  const idsOf = (side: -1 | 1) =>
    campaigns
      .filter((each) => each.side === side)
      .sort((a, b) => side * (b.value - a.value))
      .slice(0, limit)
      .map(({ id }) => id);
  return { best: idsOf(1), worst: idsOf(-1) };
}

/** The campaigns by their open rates, newest first. */
export async function findRanked(scope: Scope, filter: SumsFilter): Promise<RankedCampaign[]> {
  return rankRates(await findRates(scope, filter, ["openRate"], ["part", "whole", "squares"]));
}

/** Ranks campaigns by their open rates, each pulled to that of its team; without a team, or with a small one, to that of all. */
export function rankRates(campaigns: readonly CampaignRates[]): RankedCampaign[] {
  const rates = campaigns.map(({ id, sentAt, team, parts }) => ({
    id,
    sentAt,
    team,
    own: readRateParts(parts),
  }));
  const all = estimateAll(rates);
  if (!all) return [];
  // What these campaigns have together is known, so only the error of each matters.
  const ofAll = { value: all.rate, low: all.rate, high: all.rate };
  const teams = new Map(
    [...Map.groupBy(rates, ({ team }) => team)].map(([team, own]) => [
      team,
      team && own.length >= minShrunk ? estimateAll(own) : undefined,
    ]),
  );
  return rates.flatMap(({ id, sentAt, team, own }) => {
    if (own.whole === 0) return [];
    const shrunk = shrunkRate(own, teams.get(team) ?? all);
    return { id, sentAt, value: shrunk.value, side: sideOf(shrunk, ofAll) };
  });
}

/** Fewer campaigns say too little about how those of a team differ. */
const minShrunk = 5;

function estimateAll(rates: readonly { own: RateParts }[]): Estimate | undefined {
  const total = readRateParts(
    ratePartNames.map((name) => rates.reduce((sum, { own }) => sum + own[name], 0)),
  );
  const spread = spreadOf(0, 0);
  for (const { own } of rates) addToSpread(spread, own.part, own.whole);
  return total.whole === 0 ? undefined : estimateOf(total, "openRate", spread);
}

/** Above or below another one by more than chance. */
export function sideOf(one: Ranged, other: Ranged): RankedCampaign["side"] {
  if (!areDifferent(one, other)) return 0;
  return one.value > other.value ? 1 : -1;
}
