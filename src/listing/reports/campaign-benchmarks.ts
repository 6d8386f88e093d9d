// What a campaign is compared with: the other campaigns of its team and of its tags.

import { dayMs } from "../../campaign/calendar/durations.ts";
import { compareTags, type Tag } from "../../campaign/campaign.ts";
import { sumsOfCampaign } from "../../campaign/campaign-rates.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import type { Ranged } from "../../campaign/ranges.ts";
import type { SpreadSums } from "../../campaign/rate-ranges.ts";
import { areComparable, type CoveredRateName, ratePartsOf } from "../../campaign/sum-rates.ts";
import { ofTraffic, type Sums } from "../../campaign/sums.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { findTotals } from "../../storage/sums/sum-queries.ts";
import type { SumsFilter } from "../../storage/sums/sums-filter.ts";
import { averagedDays, usualOfTeam } from "../sums/team-averages.ts";

/** The rates that the page of a campaign compares. */
const keyRates: readonly CoveredRateName[] = [
  ...(["openRate", "clickRate", "clickToOpenRate", "readShare", "enpsIndex", "enpsMean"] as const),
];

export interface Benchmarks {
  /** Undefined if the campaign has no team. */
  team: TeamBenchmark | undefined;
  /** The tags of the campaign, by name. */
  tags: TagBenchmark[];
}

interface TagBenchmark {
  tag: Tag;
  /** The sums of the campaigns with the tag in the year before. */
  sums: SpreadSums;
  /** Whether these campaigns are those of the team. */
  isTeam: boolean;
}

interface TeamBenchmark {
  name: string;
  /** The sums of the campaigns that the team sent in the year before. */
  sums: Sums;
  /** Null from too few of them, if they are not comparable, or for a rate that is not a key rate. */
  usual(name: CoveredRateName): Ranged | null;
  isComparable(name: CoveredRateName): boolean;
}

/** The average rates of the team of a campaign, and the sums of the campaigns with each of its tags in the year before it. */
export async function findBenchmarks(
  scope: Scope,
  stored: StoredCampaign,
  traffic: TrafficFilter,
): Promise<Benchmarks> {
  const { sentAt, team } = stored.campaign;
  const year = { traffic, sentFrom: sentAt - averagedDays * dayMs, sentUntil: sentAt };
  const teams = team === null || team === "" ? undefined : [team];
  const sumsOf = async (filter: Partial<SumsFilter>) =>
    (await findTotals(scope, { ...year, ...filter }, keyRates)).sums;
  const ofTeam = teams && (await sumsOf({ teams }));
  const tags: TagBenchmark[] = [];
  for (const tag of stored.tags.toSorted(compareTags)) {
    const sums = await sumsOf({ tagIds: [tag.id] });
    const isTeam =
      sums.campaigns === ofTeam?.campaigns &&
      sums.campaigns === (await sumsOf({ tagIds: [tag.id], teams })).campaigns;
    tags.push({ tag, sums, isTeam });
  }
  return { team: ofTeam && teamBenchmark(stored, ofTeam, traffic), tags };
}

function teamBenchmark(
  { campaign, numbers }: StoredCampaign,
  sums: SpreadSums,
  traffic: TrafficFilter,
): TeamBenchmark {
  const own = sumsOfCampaign({ ...campaign, numbers: ofTraffic(numbers, traffic) });
  const isComparable = (name: CoveredRateName) => areComparable(own, sums, { name, traffic });
  return {
    name: campaign.team ?? "",
    sums,
    usual: (name) => {
      const spread = sums.spreads[name];
      return spread && isComparable(name) ? usualOfTeam(ratePartsOf(sums, name), name, spread) : null;
    },
    isComparable,
  };
}
