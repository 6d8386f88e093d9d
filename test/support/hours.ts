// All hours of a campaign, as they are stored, for tests.

import { type HourCount, HourCounts } from "../../src/campaign/events/hour-counts.ts";
import { findHourParts } from "../../src/storage/campaigns/campaign-hours.ts";
import type { Queries } from "../../src/storage/queries/queries.ts";
import { Scope } from "../../src/storage/queries/scope.ts";

export async function readHours(
  queries: Queries,
  organizationId: number,
  campaignId: number,
): Promise<HourCount[]> {
  const hours = new HourCounts();
  const page = { after: 0, limit: 1_000_000 };
  for (const { counts } of await findHourParts(new Scope(queries, organizationId), campaignId, page)) {
    hours.addEncoded(counts);
  }
  return hours.list();
}
