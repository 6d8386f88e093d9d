// Quarantined events grouped by campaign and reason.

import type { CampaignReference } from "../../campaign/events/event.ts";
import type { Scope } from "../queries/scope.ts";
import type { QuarantineReason } from "../tables/campaigns.ts";
import { decodeReference, type QuarantineFilter, selectQuarantined } from "./quarantine-filter.ts";

/** Events of one campaign with the same reason. */
export interface QuarantineGroup {
  /** Undefined if the events do not say. */
  campaign: CampaignReference | undefined;
  reason: QuarantineReason;
  events: number;
  /** Arrival of the first and the last one. */
  oldest: number;
  newest: number;
}

/** All groups, by campaign and reason. @param limit only so many, the largest first */
export async function summarizeQuarantine(
  scope: Scope,
  filter: QuarantineFilter,
  limit?: number,
): Promise<QuarantineGroup[]> {
  const rows = await selectQuarantined(scope, filter)
    .select((select) => [
      "campaign_reference",
      "reason",
      select.fn.countAll<number>().as("events"),
      select.fn.min("received_at").as("oldest"),
      select.fn.max("received_at").as("newest"),
    ])
    .groupBy(["campaign_reference", "reason"])
    .$if(limit !== undefined, (all) => all.orderBy("events", "desc").limit(limit as number))
    .orderBy("campaign_reference")
    .orderBy("reason")
    .execute();
  return rows.map(({ campaign_reference, events, ...row }) => ({
    campaign: decodeReference(campaign_reference),
    ...row,
    events: Number(events),
  }));
}
