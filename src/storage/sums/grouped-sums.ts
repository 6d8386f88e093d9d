// What pages select from the table `sums` by a field of campaigns, such as the team.

import { type RawBuilder, sql } from "kysely";
import type { SpreadSums } from "../../campaign/rate-ranges.ts";
import { type CoveredRateName, termsOf } from "../../campaign/sum-rates.ts";
import { weekdayOf } from "../queries/dialect-differences.ts";
import type { Scope } from "../queries/scope.ts";
import { addedTerms } from "./find-values.ts";
import { type SummedRow, summed, summedSpreads, toSpreadSums } from "./sum-queries.ts";
import { emailOfSums, type SumsFilter, sumsCondition } from "./sums-filter.ts";

type Grouping = "team" | "tag" | "sending_type" | "sender" | "weekday";

/**
 * What sums are grouped by. A campaign with several tags is in several groups; a weekday is that of the organization's time
 * zone. SQLite keeps the order of a cross join: it might start with the tags, and read all sums for each.
 */
function groupingOf(scope: Scope, grouping: Grouping): Record<"key" | "from", RawBuilder<unknown>> {
  const from = sql`sums where true`;
  switch (grouping) {
    case "team":
      return { key: sql`sums.team`, from };
    case "sending_type":
      return { key: sql`sums.sending_type`, from };
    case "tag":
      return {
        key: sql`campaign_tags.tag_id`,
        from: sql`sums cross join campaign_tags
          where campaign_tags.organization_id = sums.organization_id and campaign_tags.campaign_id = sums.campaign_id`,
      };
    case "sender":
      return { key: sql`emails.sent_from`, from: sql`sums ${emailOfSums()} where true` };
    case "weekday":
      return {
        key: weekdayOf(scope, "emails.sent_on"),
        from: sql`sums ${emailOfSums()} where true`,
      };
  }
}

/** The id of a tag, a weekday from 0, Monday, or another value; null if it is not set. */
export type SumsKey = string | number | null;

/** @param ranged the rates whose ranges are shown */
export async function findSumsBy(
  scope: Scope,
  filter: SumsFilter,
  grouping: Grouping,
  ranged: readonly CoveredRateName[] = [],
): Promise<Map<SumsKey, SpreadSums>> {
  const { key, from } = groupingOf(scope, grouping);
  const { rows } = await sql<SummedRow & { key: never }>`
    select ${key} as key, ${summed} ${summedSpreads(ranged)} from ${from}
    and ${sumsCondition(scope, filter)} group by ${key}`.execute(scope);
  return new Map(rows.map((row) => [row.key, toSpreadSums(row, ranged)]));
}

interface CampaignOfGroup {
  key: SumsKey;
  team: string | null;
  sentAt: number;
  part: number;
  whole: number;
}

/** The team of each campaign of a group, and the part and the whole of its open rate, for the trend. */
export async function findOpensBy(
  scope: Scope,
  filter: SumsFilter,
  grouping: Grouping,
): Promise<CampaignOfGroup[]> {
  const { key, from } = groupingOf(scope, grouping);
  const { part, whole } = termsOf("openRate");
  const { rows } = await sql<CampaignOfGroup>`
    select ${key} as key, sums.team, sums.sent_at as "sentAt", ${addedTerms(part)} as part, ${addedTerms(whole)} as whole
    from ${from} and ${sumsCondition(scope, filter)}`.execute(scope);
  return rows;
}
