// What a campaign is compared with: the other campaigns of its team and of its tags.

import { dayMs } from "../../campaign/calendar/durations.ts";
import { compareTags, type Tag } from "../../campaign/campaign.ts";
import { sumsOfCampaign } from "../../campaign/campaign-rates.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import { areComparable, type CoveredRateName, ratePartsOf } from "../../campaign/sum-rates.ts";
import { ofTraffic, type Sums } from "../../campaign/sums.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import { findTotals } from "../../storage/campaigns/sum-queries.ts";
import type { SumsFilter } from "../../storage/campaigns/sums-filter.ts";
import type { Database } from "../../storage/database.ts";
import { averagedDays, rateOfTeam } from "../sums/team-averages.ts";

export interface Benchmarks {
  /** Undefined if the campaign has no team. */
  team: TeamBenchmark | undefined;
  /** By name. */
  tags: TagBenchmark[];
}

interface TagBenchmark {
  tag: Tag;
  /** The sums of the campaigns with the tag in the year before. */
  sums: Sums;
  /** Whether these campaigns are those of the team. */
  isTeam: boolean;
}

interface TeamBenchmark {
  name: string;
  /** How many campaigns the team sent in the year before, without those that are still counting. */
  campaigns: number;
  /** Null from too few of them, or if they are not comparable. */
  usual(name: CoveredRateName): number | null;
  isComparable(name: CoveredRateName): boolean;
}

/** The average rates of the team of a campaign, and the sums of the campaigns with each of its tags in the year before it. */
export function findBenchmarks(
  database: Database,
  organizationId: number,
  stored: StoredCampaign,
  traffic: TrafficFilter,
): Promise<Benchmarks> {
  const { sentAt, team } = stored.campaign;
  const year = { traffic, sentFrom: sentAt - averagedDays * dayMs, sentUntil: sentAt };
  const teams = team === null || team === "" ? undefined : [team];
  return database.snapshot(async (queries) => {
    const sumsOf = async (filter: Partial<SumsFilter>) =>
      (await findTotals(queries, organizationId, { ...year, ...filter })).sums;
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
  });
}

function teamBenchmark(
  { campaign, numbers }: StoredCampaign,
  sums: Sums,
  traffic: TrafficFilter,
): TeamBenchmark {
  const own = sumsOfCampaign({ ...campaign, numbers: ofTraffic(numbers, traffic) });
  const isComparable = (name: CoveredRateName) => areComparable(own, sums, { name, traffic });
  return {
    name: campaign.team ?? "",
    campaigns: sums.settledCampaigns,
    usual: (name) => (isComparable(name) ? rateOfTeam(ratePartsOf(sums, name)) : null),
    isComparable,
  };
}
