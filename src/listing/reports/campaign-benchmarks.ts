// What a campaign is compared with: the other campaigns of its team and of its tags, and their usual opens.

import { dayMs, hourMs } from "../../campaign/calendar/durations.ts";
import { compareTags, type Tag } from "../../campaign/campaign.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import type { Sums } from "../../campaign/sums.ts";
import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import type { Database } from "../../storage/database.ts";
import { valueAt } from "../numbers/dictionary-column.ts";
import type { NumbersTable } from "../numbers/numbers-table.ts";
import { type NumbersFilter, type Selection, selectCampaigns } from "../numbers/select.ts";
import { totalOf } from "../numbers/sum-selection.ts";
import { curveHours, readUsualOpens, type UsualOpens } from "./opens-by-age.ts";

/** How long before the campaign the others were sent. */
export const benchmarkDays = 365;

export interface Benchmarks {
  /** Undefined if the campaign has no team. */
  team: Sums | undefined;
  /** By name. */
  tags: { tag: Tag; sums: Sums }[];
}

/** The sums of the campaigns of the same team, and of those with the same tag, in the year before a campaign. */
export async function benchmarksOf(
  numbers: NumbersTable,
  { campaign, tags }: StoredCampaign,
  traffic: TrafficFilter,
): Promise<Benchmarks> {
  const { sentAt, team } = campaign;
  const sumOf = (filter: NumbersFilter) => {
    const period = { sentFrom: sentAt - benchmarkDays * dayMs, sentUntil: sentAt };
    return totalOf(selectCampaigns(numbers, { ...filter, ...period }), traffic);
  };
  const sumsOfTag = async (tag: Tag) => ({ tag, sums: await sumOf({ tagIds: [tag.id] }) });
  return {
    team: team === null || team === "" ? undefined : await sumOf({ team }),
    tags: await Promise.all(tags.toSorted(compareTags).map(sumsOfTag)),
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
