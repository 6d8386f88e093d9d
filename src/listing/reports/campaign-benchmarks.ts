// What a campaign is compared with: the other campaigns of its team and of its tags, and their usual opens.

import { dayMs, hourMs } from "../../campaign/calendar/durations.ts";
import { compareTags, type Tag } from "../../campaign/campaign.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import type { CoveredRateName } from "../../campaign/sum-rates.ts";
import type { Sums } from "../../campaign/sums.ts";
import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import type { Database } from "../../storage/database.ts";
import { valueAt } from "../numbers/dictionary-column.ts";
import type { NumbersTable } from "../numbers/numbers-table.ts";
import { type Selection, selectCampaigns } from "../numbers/select.ts";
import { totalOf } from "../numbers/sum-selection.ts";
import { findUsualRates, usualDays } from "../numbers/usual-rates.ts";
import { curveHours, readUsualOpens, type UsualOpens } from "./opens-by-age.ts";

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
  /** How many campaigns the team sent in the year before. */
  campaigns: number;
  /** Null from too few of them, or if they are not comparable. */
  usual(name: CoveredRateName): number | null;
  isComparable(name: CoveredRateName): boolean;
}

/** The usual rates of a campaign, and the sums of the campaigns with each of its tags in the year before it. */
export async function benchmarksOf(
  numbers: NumbersTable,
  stored: StoredCampaign,
  traffic: TrafficFilter,
): Promise<Benchmarks> {
  const { sentAt } = stored.campaign;
  const year = { sentFrom: sentAt - usualDays * dayMs, sentUntil: sentAt };
  const team = await teamBenchmark(numbers, stored, traffic);
  const ofTag = async (tag: Tag): Promise<TagBenchmark> => {
    const withTag = { ...year, tagIds: [tag.id] };
    const sums = await totalOf(selectCampaigns(numbers, withTag), traffic);
    const isTeam =
      sums.campaigns === team?.campaigns &&
      sums.campaigns === selectCampaigns(numbers, { ...withTag, team: team.name }).size;
    return { tag, sums, isTeam };
  };
  return { team, tags: await Promise.all(stored.tags.toSorted(compareTags).map(ofTag)) };
}

async function teamBenchmark(
  numbers: NumbersTable,
  stored: StoredCampaign,
  traffic: TrafficFilter,
): Promise<TeamBenchmark | undefined> {
  const { id, team } = stored.campaign;
  if (team === null || team === "") return undefined;
  const rates = await findUsualRates(numbers, [stored], traffic);
  return {
    name: team,
    campaigns: rates.campaignsBefore(id),
    usual: (name) => rates.of(id, name),
    isComparable: (name) => rates.isComparable(id, name),
  };
}

/** The usual curve has the latest campaigns, at most so many. */
const maxCurveCampaigns = 10;

/**
 * The usual opens of the campaigns of the same team, or of all if it has none, that were sent before this one.
 *
 * @param now milliseconds since 1970: younger campaigns than {@link curveHours} do not count
 */
export async function findUsualOpens(
  database: Database,
  organizationId: number,
  numbers: NumbersTable,
  { sentAt, team }: { sentAt: number; team: string | null },
  now: number,
): Promise<UsualOpens | undefined> {
  const sentUntil = Math.min(sentAt, now - curveHours * hourMs);
  const ids = latestCounted(
    selectCampaigns(numbers, { sentUntil, team: team === null || team === "" ? undefined : team }),
  );
  const found = await database.query((queries) => findCampaigns(queries, organizationId, ids));
  const campaigns = found.flatMap(({ campaign: { id, sentAt, recipientCount } }) =>
    recipientCount === null || recipientCount === 0 ? [] : [{ id, sentAt, recipientCount }],
  );
  return readUsualOpens(database, organizationId, campaigns);
}

/** The latest campaigns of a selection that have activity by hour: imported ones have none. */
function latestCounted({ parts }: Selection): number[] {
  const ids: number[] = [];
  for (const { chunk, positions } of parts.toReversed()) {
    for (const position of positions.toReversed()) {
      if (ids.length === maxCurveCampaigns) return ids;
      if (valueAt(chunk.texts.kind, position) !== "reported") ids.push(chunk.ids[position] as number);
    }
  }
  return ids;
}
