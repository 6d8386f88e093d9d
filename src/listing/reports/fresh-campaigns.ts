// The campaigns that are still counting: how each compares at its age, and what they add to the numbers of a period so far.

import { recordedAges } from "../../campaign/events/ages.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import type { Range } from "../../campaign/ranges.ts";
import { addUpSums, type SpreadSums } from "../../campaign/rate-ranges.ts";
import { type CoveredRateName, ratePartsOf } from "../../campaign/sum-rates.ts";
import { leftOutOf } from "../../campaign/sums.ts";
import { isStillCounting, type StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import { teamKeyOf } from "../../storage/campaigns/teams.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import type { SumsKey } from "../../storage/sums/grouped-sums.ts";
import type { SumsFilter } from "../../storage/sums/sums-filter.ts";
import { findNewest } from "../find-released.ts";
import type { BreakdownField } from "../sums/overview-choices.ts";
import type { CampaignDot, ComparedTotals } from "../sums/overview-numbers.ts";
import { comparableReader } from "./aged-campaigns.ts";
import {
  type ComparedRates,
  likelyEndOf,
  type RatesAtAge,
  ratesAtAge,
  ratesTogether,
  readSameAge,
  type SameAge,
} from "./same-age.ts";
import { sumsOf } from "./series.ts";

/** Reading a hundred takes a few milliseconds. */
const maxFresh = 100;
/** So many have a row of their own. */
export const freshShown = 3;

export interface FreshCampaign {
  stored: StoredCampaign;
  /** Undefined if it was imported or has no recipients. */
  sameAge: SameAge | undefined;
  /** The open rate beside the usual one; undefined if there is none to compare with. */
  atItsAge: RatesAtAge | undefined;
  /** The range in which the open rate will probably end; undefined if it is too early to tell. */
  likelyEnd: Range | undefined;
}

/** The newest campaigns that are still counting. */
export async function readFresh(
  scope: Scope,
  organization: Organization,
  filter: SumsFilter,
  now: number,
): Promise<FreshCampaign[]> {
  const sentFrom = Math.max(filter.sentFrom ?? -Infinity, now - recordedAges["7d"]);
  const campaigns = await findNewest(scope, organization, { ...filter, sentFrom }, maxFresh);
  const of = { traffic: filter.traffic, now };
  const reader = comparableReader(scope, sentFrom, of);
  return Promise.all(
    campaigns.filter(isStillCounting).map(async (stored) => {
      const sameAge = await readSameAge(scope, stored, of, reader);
      return {
        stored,
        sameAge,
        atItsAge: sameAge && ratesAtAge(sameAge, "openRate"),
        likelyEnd: sameAge && likelyEndOf([sameAge]),
      };
    }),
  );
}

/** The numbers so far of campaigns of which some are still counting. */
export interface SoFar {
  /** The sums of all, as if those that are still counting ended now. */
  total: SpreadSums;
  /** Most are still counting, so that the numbers so far come before those of the others. */
  isMost: boolean;
  /** The rates of those that are still counting, each at its age, beside the usual ones. */
  openRate: ComparedRates | undefined;
  clickRate: ComparedRates | undefined;
  /** The range in which the open rate of all will probably end; undefined if it is too early to tell. */
  likelyEnd: Range | undefined;
}

/** @returns undefined if all campaigns have their final numbers. @param fresh those of the campaigns that are */
export function soFarOf(
  total: SpreadSums,
  fresh: readonly FreshCampaign[],
  traffic: TrafficFilter,
): SoFar | undefined {
  const counting = leftOutOf(total);
  if (counting === 0) return undefined;
  const all = addUpSums([total, ...fresh.map(({ stored }) => sumsOf(stored, traffic, false))]);
  const { campaigns, countedCampaigns, recipients } = total;
  const counts = { campaigns, countedCampaigns, recipients };
  Object.assign(all, counts, { settledCampaigns: campaigns, settledCounted: countedCampaigns });
  // Campaigns of different ages differ by their ages, so only ratings have a range.
  const { enpsIndex } = all.spreads;
  all.spreads = enpsIndex ? { enpsIndex } : {};
  const aged = fresh.flatMap(({ sameAge }) => sameAge ?? []);
  const end = aged.length === counting ? likelyEndOf(aged) : undefined;
  const [ended, whole] = [ratePartsOf(total, "openRate"), ratePartsOf(all, "openRate").whole];
  const withEnded = (rate: number) => (ended.part + rate * (whole - ended.whole)) / whole;
  return {
    total: all,
    isMost: 2 * counting > campaigns,
    openRate: ratesTogether(aged, "openRate"),
    clickRate: ratesTogether(aged, "clickRate"),
    likelyEnd: end && { low: withEnded(end.low), high: withEnded(end.high) },
  };
}

/** Each with a rate so far, if it has one. */
export const dotsSoFar = (
  fresh: readonly FreshCampaign[],
  name: CoveredRateName,
  traffic: TrafficFilter,
): CampaignDot[] =>
  fresh.flatMap(({ stored }) => {
    const { part, whole } = ratePartsOf(sumsOf(stored, traffic, false), name);
    return whole === 0 ? [] : [{ sentAt: stored.campaign.sentAt, rate: part / whole, whole, isFresh: true }];
  });

/** The campaigns of a group of the breakdown. @param key the id of a tag, or a team */
export const freshOfGroup = (fresh: readonly FreshCampaign[], by: BreakdownField, key: SumsKey) =>
  fresh.filter(({ stored: { campaign, tags } }) =>
    by === "tag" ? tags.some(({ id }) => id === key) : teamKeyOf(campaign.team ?? "") === (key ?? ""),
  );

/** The numbers that come first: those so far where most campaigns are still counting. They are compared with none before. */
export const leadingNumbers = <Numbers extends ComparedTotals>(
  numbers: Numbers,
  soFar: SoFar | undefined,
): Numbers => (soFar?.isMost ? { ...numbers, total: soFar.total, compared: undefined } : numbers);
