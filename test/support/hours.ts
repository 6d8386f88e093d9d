// All hours of a campaign, as they are stored, for tests.

import { type HourCount, HourCounts } from "../../src/campaign/events/hour-counts.ts";
import type { Queries } from "../../src/storage/queries/queries.ts";
import { Scope } from "../../src/storage/queries/scope.ts";

export function findHourParts(queries: Queries, organizationId: number, campaignId: number) {
  return new Scope(queries, organizationId)
    .from("campaign_hours")
    .select(["part", "counts"])
    .where("campaign_id", "=", campaignId)
    .orderBy("part")
    .execute();
}

export async function readHours(
  queries: Queries,
  organizationId: number,
  campaignId: number,
): Promise<HourCount[]> {
  const hours = new HourCounts();
  for (const { counts } of await findHourParts(queries, organizationId, campaignId)) hours.addEncoded(counts);
  return hours.list();
}
