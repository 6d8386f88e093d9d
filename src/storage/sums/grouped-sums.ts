// What pages select from the table `sums` by a field of campaigns, such as the team.

import { type RawBuilder, sql } from "kysely";
import type { SpreadSums } from "../../campaign/rate-ranges.ts";
import type { CoveredRateName } from "../../campaign/sum-rates.ts";
import type { Scope } from "../queries/scope.ts";
import { type SummedRow, summed, summedSpreads, toSpreadSums } from "./sum-queries.ts";
import { type SumsFilter, sumsCondition } from "./sums-filter.ts";

type Grouping = "team" | "tag";

/**
 * What sums are grouped by. A campaign with several tags is in several groups. SQLite keeps the order of a cross join: it might start
 * with the tags, and read all sums for each.
 */
function groupingOf(grouping: Grouping): Record<"key" | "from", RawBuilder<unknown>> {
  return grouping === "team"
    ? { key: sql`sums.team`, from: sql`sums where true` }
    : {
        key: sql`campaign_tags.tag_id`,
        from: sql`sums cross join campaign_tags
          where campaign_tags.organization_id = sums.organization_id and campaign_tags.campaign_id = sums.campaign_id`,
      };
}

/** The id of a tag, or a team; null if it is not set. */
export type SumsKey = string | number | null;

/** @param ranged the rates whose ranges are shown */
export async function findSumsBy(
  scope: Scope,
  filter: SumsFilter,
  grouping: Grouping,
  ranged: readonly CoveredRateName[] = [],
): Promise<Map<SumsKey, SpreadSums>> {
  const { key, from } = groupingOf(grouping);
  const { rows } = await sql<SummedRow & { key: never }>`
    select ${key} as key, ${summed} ${summedSpreads(ranged)} from ${from}
    and ${sumsCondition(scope, filter)} group by ${key}`.execute(scope);
  return new Map(rows.map((row) => [row.key, toSpreadSums(row, ranged)]));
}
