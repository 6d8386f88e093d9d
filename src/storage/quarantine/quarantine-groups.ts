// Quarantined events grouped by campaign and reason.

import type { CampaignReference } from "../../campaign/events/event.ts";
import type { Queries } from "../database.ts";
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

/** The largest groups. */
export async function listQuarantineGroups(
  queries: Queries,
  organizationId: number,
  filter: QuarantineFilter,
  limit: number,
): Promise<QuarantineGroup[]> {
  const rows = await selectGroups(queries, organizationId, filter)
    .orderBy("events", "desc")
    .orderBy("campaign_reference")
    .orderBy("reason")
    .limit(limit)
    .execute();
  return rows.map(toGroup);
}

/** All groups, by campaign and reason, with the arrival of the first event. */
export async function summarizeQuarantine(
  queries: Queries,
  organizationId: number,
  filter: QuarantineFilter,
): Promise<(Pick<QuarantineGroup, "campaign" | "reason" | "events"> & { since: number })[]> {
  const rows = await selectGroups(queries, organizationId, filter)
    .orderBy("campaign_reference")
    .orderBy("reason")
    .execute();
  return rows.map((row) => {
    const { campaign, reason, events, oldest } = toGroup(row);
    return { campaign, reason, events, since: oldest };
  });
}

function selectGroups(queries: Queries, organizationId: number, filter: QuarantineFilter) {
  return selectQuarantined(queries, organizationId, filter)
    .select((select) => [
      "campaign_reference",
      "reason",
      select.fn.countAll<number>().as("events"),
      select.fn.min("received_at").as("oldest"),
      select.fn.max("received_at").as("newest"),
    ])
    .groupBy(["campaign_reference", "reason"]);
}

type GroupRow = Omit<QuarantineGroup, "campaign"> & { campaign_reference: string };

function toGroup({ campaign_reference, events, ...row }: GroupRow): QuarantineGroup {
  return { campaign: decodeReference(campaign_reference), ...row, events: Number(events) };
}
