// Which of a few campaigns is best in a number, by more than chance.

import { sumsOfCampaign } from "../../campaign/campaign-rates.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import { rateAt, reachedAge } from "../../campaign/forecast.ts";
import { areDifferent, type Ranged } from "../../campaign/ranges.ts";
import { type CoveredRateName, isComparable, ratePartsOf } from "../../campaign/sum-rates.ts";
import { ofTraffic } from "../../campaign/sums.ts";
import { isStillCounting, type StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import { toAgedCampaign } from "./aged-campaigns.ts";

/** How many campaigns a comparison has. More would not fit side by side. */
export const comparedCampaigns = { min: 2, max: 5 } as const;

/**
 * Whether the numbers of campaigns can be compared with each other: not while one of them is still counting.
 *
 * @param name undefined for a number that is no rate
 */
export function areRanked(
  name: CoveredRateName | undefined,
  campaigns: readonly StoredCampaign[],
  traffic: TrafficFilter,
): boolean {
  if (campaigns.some(isStillCounting)) return false;
  if (name === undefined) return true;
  return campaigns.every((stored) => {
    return isComparable(ratePartsOf(sumsOfCampaign(ofTraffic(stored, traffic)), name), traffic);
  });
}

/** Which number is the highest by more than chance; none if chance explains its lead, or if there is only one. */
export function bestOf(numbers: readonly (Ranged | null | undefined)[]): boolean[] {
  const [highest, ...others] = numbers.filter((each) => each != null).toSorted((a, b) => b.value - a.value);
  const isBest = others.length > 0 && others.every((each) => highest && areDifferent(highest, each));
  return numbers.map((each) => isBest && each === highest);
}

/** The open rates at the last age that all have reached; undefined unless one is still counting and all have ages. */
export function openRatesAtSameAge(
  campaigns: readonly StoredCampaign[],
  traffic: TrafficFilter,
  now: number,
): { age: number; rates: Ranged[] } | undefined {
  if (!campaigns.some(isStillCounting)) return undefined;
  const aged = campaigns.flatMap((stored) => toAgedCampaign(stored, traffic) ?? []);
  const age = reachedAge(Math.max(...campaigns.map(({ campaign }) => campaign.sentAt)), now);
  if (age === undefined || aged.length < campaigns.length) return undefined;
  return { age, rates: aged.map((each) => rateAt(each, "opensByAge", age)) };
}
