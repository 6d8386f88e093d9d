// Chooses what the sentence of the overview says. Every number is that of a card or row of the page.

import { rangedRate } from "../../campaign/campaign-number.ts";
import type { Clauses } from "../../campaign/clauses.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import { areDifferent, type Ranged } from "../../campaign/ranges.ts";
import { rangedRateOf } from "../../campaign/rate-ranges.ts";
import { leftOutOf } from "../../campaign/sums.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import { sideOf } from "../sums/best-and-worst.ts";
import type { OverviewView } from "../sums/overview-choices.ts";
import { isSeasonal, type OverviewNumbers, rateLineOf } from "../sums/overview-numbers.ts";
import { comparedRate, type TeamAverages } from "../sums/team-averages.ts";
import type { FreshCampaign } from "./fresh-campaigns.ts";

/** What the overview shows. */
interface ShownPeriod {
  numbers: OverviewNumbers;
  ranking: OverviewView["ranking"];
  /** The campaigns of both rankings. */
  campaigns: ReadonlyMap<number, StoredCampaign>;
  averages: TeamAverages;
  fresh: readonly FreshCampaign[];
  comments: NonNullable<Clauses["comments"]>;
}

export function chooseClauses(shown: ShownPeriod, traffic: TrafficFilter): Clauses {
  const { numbers, comments } = shown;
  const { campaigns } = numbers.total;
  const counting = leftOutOf(numbers.total);
  const isFinal = 2 * counting <= campaigns;
  const fresh = freshClause(shown, traffic, isFinal);
  const isRanked = fresh === undefined || fresh.side === "usual" || fresh.side === undefined;
  return {
    sent: { campaigns, counting },
    rate: isFinal ? rateClause(numbers, traffic) : undefined,
    fresh,
    // One campaign is enough.
    ranked: isRanked ? rankedClause(shown, traffic) : undefined,
    comments: comments.count > 0 && (comments.isAll || comments.low > 0) ? comments : undefined,
  };
}

/** Says nothing if most campaigns have no open rate. */
function rateClause(numbers: OverviewNumbers, traffic: TrafficFilter): Clauses["rate"] {
  const { rate, before, from, of } = rateLineOf(numbers, "openRate", traffic);
  if (!rate || 2 * from < of) return undefined;
  const isChange = before !== null && areDifferent(rate, before);
  return { rate, before: isChange ? before : null, isSeasonal: isSeasonal(numbers) };
}

/** The first that differs by more than chance; where most campaigns are still counting, otherwise the newest with a forecast. */
function freshClause({ fresh }: ShownPeriod, traffic: TrafficFilter, isFinal: boolean): Clauses["fresh"] {
  const sided = fresh.map((each) => ({ ...each, side: sideAtAge(each) }));
  const chosen =
    sided.find(({ side }) => side === "above" || side === "below") ??
    (isFinal ? undefined : sided.find(({ likelyEnd }) => likelyEnd));
  const rate = chosen && rangedRate(chosen.stored, traffic, "openRate")?.value;
  if (!chosen || rate === undefined) return undefined;
  const { stored, side, likelyEnd } = chosen;
  return { campaign: stored.campaign, rate, side, likelyEnd };
}

/** Undefined if it is outside of the usual range, but chance explains that. */
function sideAtAge({ atItsAge }: FreshCampaign): NonNullable<Clauses["fresh"]>["side"] {
  if (!atItsAge) return undefined;
  const { rate, usual } = atItsAge;
  const side = sideOf(rate, usual);
  if (side !== 0) return side > 0 ? "above" : "below";
  return usual.low <= rate.value && rate.value <= usual.high ? "usual" : undefined;
}

/** The first of the ranking that differs more. */
function rankedClause(
  { numbers: { ranked, total }, ranking, campaigns, averages }: ShownPeriod,
  traffic: TrafficFilter,
): Clauses["ranked"] {
  const all = rangedRateOf(total, "openRate");
  const firsts = (["best", "worst"] as const).flatMap((which) => {
    const stored = campaigns.get(ranked[which][0] ?? 0);
    const rate = stored && comparedRate(stored, traffic, "openRate");
    if (!rate) return [];
    const { campaign } = stored;
    const usual: Ranged | null = ranking === "team" ? averages.of(campaign.id, "openRate") : all;
    const gap = usual ? Math.abs(rate.value - usual.value) : 0;
    return [{ gap, campaign, rate: rate.value, which, by: ranking }];
  });
  return firsts.sort((a, b) => b.gap - a.gap)[0];
}
