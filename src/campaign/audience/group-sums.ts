// What groups of recipients add to sums, so that their rates and ranges are computed as those of campaigns.

import type { TrafficFilter } from "../events/traffic.ts";
import { addToSpread, type Spread, spreadOf } from "../ranges.ts";
import type { SpreadSums } from "../rate-ranges.ts";
import { emptySums } from "../sums.ts";
import type { CopiedCounts } from "./copy-groups.ts";
import { type GroupCounts, groupCountNames } from "./group-counts.ts";
import type { PeriodSums } from "./group-periods.ts";

/** The id of a group and its counts in the order of `groupCounts`, as they are stored. */
export type PackedGroup = readonly (number | null)[];

type IdentifiedCounts = CopiedCounts & { groupId: number };

export function packGroup(group: IdentifiedCounts): PackedGroup {
  return [group.groupId, ...groupCountNames.map((name) => group[name])];
}

export function unpackGroup([groupId, ...counts]: PackedGroup): IdentifiedCounts {
  const entries = groupCountNames.map((name, index) => [name, counts[index]]);
  return { groupId, ...Object.fromEntries(entries) } as IdentifiedCounts;
}

const places = Object.fromEntries(groupCountNames.map((name, index) => [name, index + 1])) as GroupCounts;

export type GroupSums = SpreadSums & { spreads: Record<"openRate" | "clickRate" | "enpsIndex", Spread> };

export function emptyGroupSums(): GroupSums {
  const [openRate, clickRate, enpsIndex] = [spreadOf(0, 0), spreadOf(0, 0), spreadOf(0, 0)];
  return { ...emptySums(), spreads: { openRate, clickRate, enpsIndex } };
}

const placeOfOpens = (traffic: TrafficFilter) => places[traffic === "people" ? "peopleOpens" : "allOpens"];

/** The open rate of all groups of one campaign. */
export function openRateOf(groups: readonly PackedGroup[], traffic: TrafficFilter): number {
  const add = (place: number) => groups.reduce((sum, group) => sum + (group[place] ?? 0), 0);
  return add(placeOfOpens(traffic)) / add(places.recipients) || 0;
}

/** Adds the opens of a released group of one campaign. @param rate the open rate of all its groups */
export function addToPeriod(to: PeriodSums, group: PackedGroup, traffic: TrafficFilter, rate: number): void {
  const recipients = group[places.recipients] ?? 0;
  const opens = group[placeOfOpens(traffic)] ?? 0;
  to.campaigns += 1;
  to.recipients += recipients;
  to.opens += opens;
  to.expected += recipients * rate;
  addToSpread(to.spread, opens, recipients);
}

/**
 * Adds a released group of one campaign, with reads times 100. Counts that are withheld are left out. A page adds 150,000, so
 * nothing is allocated.
 */
export function addGroup(sums: GroupSums, group: PackedGroup, traffic: TrafficFilter): void {
  const { spreads } = sums;
  const isHuman = traffic === "people";
  const recipients = group[places.recipients] ?? 0;
  const opens = group[placeOfOpens(traffic)] ?? 0;
  const clicks = group[isHuman ? places.peopleClicks : places.allClicks] ?? null;
  const promoters = group[places.enpsPromoters] ?? null;
  const detractors = group[places.enpsDetractors] ?? null;
  const ratings = group[places.enpsReactions] ?? 0;
  sums.campaigns += 1;
  sums.countedCampaigns += 1;
  sums.settledCampaigns += 1;
  sums.settledCounted += 1;
  sums.openCampaigns += 1;
  sums.recipients += recipients;
  sums.openRecipients += recipients;
  sums.opens += opens;
  addToSpread(spreads.openRate, opens, recipients);
  if (clicks !== null) {
    sums.clickCampaigns += 1;
    sums.clickRecipients += recipients;
    sums.clicks += clicks;
    addToSpread(spreads.clickRate, clicks, recipients);
  }
  const glanced = group[places.glanced] ?? 0;
  const skimmed = group[places.skimmed] ?? 0;
  const read = group[places.read] ?? 0;
  sums.glanced += 100 * glanced;
  sums.skimmed += 100 * skimmed;
  sums.read += 100 * read;
  if (glanced + skimmed + read > 0) sums.readCampaigns += 1;
  if (ratings > 0 && promoters !== null && detractors !== null) {
    sums.indexedCampaigns += 1;
    sums.promoters += promoters;
    sums.detractors += detractors;
    sums.indexed += ratings;
    addToSpread(spreads.enpsIndex, 100 * (promoters - detractors), ratings);
  }
}

/** The sums of a released group of one campaign. */
export function sumsOfGroup(group: IdentifiedCounts, traffic: TrafficFilter): SpreadSums {
  const sums = emptyGroupSums();
  addGroup(sums, packGroup(group), traffic);
  return sums;
}
