// What a campaign is compared with: the other campaigns of its team, or of its tags.

import { dayMs } from "../../campaign/calendar/durations.ts";
import { compareTags, type Tag } from "../../campaign/campaign.ts";
import { sumsOfCampaign } from "../../campaign/campaign-rates.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import type { Ranged } from "../../campaign/ranges.ts";
import { type SpreadSums, usualOf } from "../../campaign/rate-ranges.ts";
import { areComparable, type CoveredRateName, ratePartsOf } from "../../campaign/sum-rates.ts";
import { ofTraffic, type Sums } from "../../campaign/sums.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { findTotals } from "../../storage/sums/sum-queries.ts";
import type { SumsFilter } from "../../storage/sums/sums-filter.ts";

/** How long before a campaign the others were sent. */
export const averagedDays = 365;
/** Fewer campaigns with a rate make no average. */
export const minAveraged = 3;

/** The rates that the page of a campaign compares, and alerts. */
const keyRates: readonly CoveredRateName[] = [
  ...(["openRate", "clickRate", "readShare", "enpsIndex", "enpsMean", "bounce_rate"] as const),
];

export interface Benchmarks {
  baseline: Baseline;
  /** The tags of the campaign, by name. */
  tags: TagBenchmark[];
}

interface TagBenchmark {
  tag: Tag;
  /** The sums of the campaigns with the tag in the year before. */
  sums: SpreadSums;
}

/** The campaigns of the team; without one, of the tag with the most campaigns, or all campaigns if no tag has enough. */
interface Baseline {
  /** That of the team or tag; empty for all campaigns. */
  name: string;
  /** The sums of its campaigns in the year before. */
  sums: Sums;
  /** Null from too few of them, if they are not comparable, or for a rate that is not a key rate. */
  usual(name: CoveredRateName): Ranged | null;
  isComparable(name: CoveredRateName): boolean;
}

/** The usual rates of the year before a campaign, and the sums of the campaigns with each of its tags. */
export async function findBenchmarks(
  scope: Scope,
  stored: StoredCampaign,
  traffic: TrafficFilter,
): Promise<Benchmarks> {
  const { sentAt, team } = stored.campaign;
  const year = { traffic, sentFrom: sentAt - averagedDays * dayMs, sentUntil: sentAt };
  const sumsOf = async (filter: Partial<SumsFilter>) =>
    (await findTotals(scope, { ...year, ...filter }, keyRates)).sums;
  const ofTeam = team ? await sumsOf({ teams: [team] }) : undefined;
  const tags: TagBenchmark[] = [];
  for (const tag of stored.tags.toSorted(compareTags))
    tags.push({ tag, sums: await sumsOf({ tagIds: [tag.id] }) });
  const [largest] = tags.toSorted((a, b) => b.sums.settledCampaigns - a.sums.settledCampaigns);
  const series = ofTeam || (largest?.sums.settledCampaigns ?? 0) < minAveraged ? undefined : largest;
  const sums = ofTeam ?? series?.sums ?? (await sumsOf({}));
  const own = sumsOfCampaign(ofTraffic(stored, traffic));
  const isComparable = (name: CoveredRateName) => areComparable(own, sums, { name, traffic });
  const usual = (name: CoveredRateName) => {
    const [parts, spread] = [ratePartsOf(sums, name), sums.spreads[name]];
    return spread && isComparable(name) && parts.from >= minAveraged ? usualOf(parts, name, spread) : null;
  };
  return { baseline: { name: (ofTeam ? team : series?.tag.name) ?? "", sums, usual, isComparable }, tags };
}
