// Counted campaigns with their first opens and clicks by age, to compare a campaign with at the same age.

import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import { type AgedCampaign, comparableSpan, findComparable } from "../../campaign/forecast.ts";
import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { findNewestIds } from "../../storage/sums/sum-queries.ts";
import { countedOf, type SumsFilter } from "../../storage/sums/sums-filter.ts";

/** @returns undefined if the campaign was imported or has no recipients */
export function toAgedCampaign(
  { campaign: { id, sentAt, team, recipientCount }, numbers }: StoredCampaign,
  traffic: TrafficFilter,
): AgedCampaign | undefined {
  if (!("tallies" in numbers) || !recipientCount) return undefined;
  const { opensByAge, clicksByAge } = numbers.tallies[traffic];
  return { id, sentAt, team: team || null, recipientCount, opensByAge, clicksByAge };
}

/** The newest counted campaigns that a filter selects and someone opened, newest first. */
export async function readAgedCampaigns(
  scope: Scope,
  filter: SumsFilter,
  limit: number,
): Promise<AgedCampaign[]> {
  const ids = await findNewestIds(scope, { ...countedOf(filter), isOpened: true }, limit);
  return (await findCampaigns(scope, ids))
    .flatMap((stored) => toAgedCampaign(stored, filter.traffic) ?? [])
    .sort((a, b) => b.sentAt - a.sentAt || b.id - a.id);
}

/** Finds the campaigns that a counted campaign is compared with at the same age. */
export type ComparableReader = (campaign: Pick<AgedCampaign, "sentAt" | "team">) => Promise<AgedCampaign[]>;

/** Reads the campaigns of a team once for all that are compared with them. @param sentAt of the first that is compared */
export function comparableReader(
  scope: Scope,
  sentAt: number,
  { traffic, now }: { traffic: TrafficFilter; now: number },
): ComparableReader {
  const { from, until, limit } = comparableSpan({ sentAt }, now);
  const filter = { traffic, sentFrom: from, sentUntil: until };
  const reads = new Map<string | null, Promise<AgedCampaign[]>>();
  const read = (team: string | null) => {
    const teams = team === null ? undefined : [team];
    const campaigns = reads.get(team) ?? readAgedCampaigns(scope, { ...filter, teams }, limit);
    reads.set(team, campaigns);
    return campaigns;
  };
  return async (campaign) => {
    const ofTeam = campaign.team === null ? [] : findComparable(campaign, await read(campaign.team), now);
    return ofTeam.length > 0 ? ofTeam : findComparable(campaign, await read(null), now);
  };
}
