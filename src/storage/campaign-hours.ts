// The table `campaign_hours`: how the opens and clicks of counted campaigns came in, by quarters of an hour, and by whom.

import { sql } from "kysely";
import type { Activity } from "../campaign/activity.ts";
import type { HourChange } from "../campaign/activity-change.ts";
import type { Queries } from "./database.ts";
import { givenRows } from "./differences.ts";

/** What is stored of one quarter, activity and verdict. */
export interface CampaignHour {
  quarter: number;
  activity: Activity;
  verdict: string;
  count: number;
}

/** @param changes each campaign, quarter, activity and verdict once */
export async function addToHours(
  queries: Queries,
  organizationId: number,
  changes: readonly HourChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes
    .toSorted(compareHours)
    .map(({ campaignId, quarter, activity, verdict, count }) => [
      campaignId,
      quarter,
      activity,
      verdict,
      count,
    ]);
  const given = givenRows(
    queries,
    { campaign_id: "integer", quarter: "integer", activity: "text", verdict: "text", count: "integer" },
    rows,
  );
  await sql`
    insert into campaign_hours (organization_id, campaign_id, quarter, activity, verdict, count)
    select ${organizationId}, given.campaign_id, given.quarter, given.activity, given.verdict, given.count
    from ${given} where true
    on conflict (organization_id, campaign_id, quarter, activity, verdict)
    do update set count = campaign_hours.count + excluded.count`.execute(queries);
}

/** As the index has them, so that each page of it is visited once; what is of one quarter lies together anyway. */
function compareHours(a: HourChange, b: HourChange): number {
  return a.campaignId - b.campaignId || a.quarter - b.quarter;
}

/** Those of a campaign in the order of the key, some at a time: after one of them. What has come to nothing is left out. */
export async function readHours(
  queries: Queries,
  organizationId: number,
  campaignId: number,
  { after, limit }: { after: CampaignHour | undefined; limit: number },
): Promise<CampaignHour[]> {
  const rest = after
    ? sql<boolean>`(quarter, activity, verdict) > (${after.quarter}, ${after.activity}, ${after.verdict})`
    : sql<boolean>`true`;
  const rows = await queries
    .selectFrom("campaign_hours")
    .select(["quarter", "activity", "verdict", "count"])
    .where("organization_id", "=", organizationId)
    .where("campaign_id", "=", campaignId)
    .where("count", ">", 0)
    .where(rest)
    .orderBy("quarter")
    .orderBy("activity")
    .orderBy("verdict")
    .limit(limit)
    .execute();
  return rows;
}
