// The table `sums`: what each campaign that was sent adds to any total, once per traffic.

import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import type { SnakeCase, SummandName, Sums } from "../../campaign/sums.ts";
import type { Queries } from "../database.ts";
import type { ColumnKinds } from "../dialect-differences.ts";
import type { SumsTable } from "../tables.ts";
import { upsertInto } from "../upsert-rows.ts";
import type { EmailKey } from "./emails.ts";

/** The column of each summand, and its type. */
const summandColumns = {
  countedCampaigns: ["counted_campaigns", "integer"],
  recipients: ["recipients", "integer"],
  opens: ["opens", "integer"],
  openRecipients: ["open_recipients", "integer"],
  openCampaigns: ["open_campaigns", "integer"],
  clicks: ["clicks", "integer"],
  clickRecipients: ["click_recipients", "integer"],
  clickCampaigns: ["click_campaigns", "integer"],
  openers: ["openers", "integer"],
  clickers: ["clickers", "integer"],
  openedCampaigns: ["opened_campaigns", "integer"],
  desktop: ["desktop", "number"],
  mobile: ["mobile", "number"],
  deviceCampaigns: ["device_campaigns", "integer"],
  glanced: ["glanced", "number"],
  skimmed: ["skimmed", "number"],
  read: ["read", "number"],
  readCampaigns: ["read_campaigns", "integer"],
  ratings: ["ratings", "integer"],
  scores: ["scores", "number"],
  ratedCampaigns: ["rated_campaigns", "integer"],
  promoters: ["promoters", "integer"],
  detractors: ["detractors", "integer"],
  indexed: ["indexed", "integer"],
  indexedCampaigns: ["indexed_campaigns", "integer"],
  surveyedCampaigns: ["surveyed_campaigns", "integer"],
  unansweredCampaigns: ["unanswered_campaigns", "integer"],
  maybeSurveyedCampaigns: ["maybe_surveyed_campaigns", "integer"],
} as const satisfies { [Name in SummandName]: [SnakeCase<Name>, "integer" | "number"] };

const summands = Object.entries(summandColumns) as [SummandName, (typeof summandColumns)[SummandName]][];

/** The sums of one campaign with one traffic. */
export interface CampaignSums extends EmailKey {
  traffic: TrafficFilter;
  team: string | null;
  sendingType: string | null;
  trackingType: string | null;
  sums: Sums;
}

/** The type of each column but the organization. */
export const sumsColumns = {
  traffic: "text",
  sent_at: "integer",
  campaign_id: "integer",
  team: "text",
  sending_type: "text",
  tracking_type: "text",
  ...Object.fromEntries(summands.map(([, column]) => column)),
} as ColumnKinds<Omit<SumsTable, "organization_id">>;
const saveRows = upsertInto("sums", sumsColumns, ["traffic", "sent_at", "campaign_id"]);

/** Inserts or replaces the sums of campaigns. */
export function saveSums(
  queries: Queries,
  organizationId: number,
  campaigns: readonly CampaignSums[],
): Promise<void> {
  const rows = campaigns.map(({ traffic, sentAt, id, team, sendingType, trackingType, sums }) => [
    ...[traffic, sentAt, id, team, sendingType, trackingType],
    ...summands.map(([name]) => sums[name]),
  ]);
  return saveRows(queries, organizationId, rows);
}

/** Deletes the sums of campaigns that are deleted, or move to another send time. */
export async function deleteSums(
  queries: Queries,
  organizationId: number,
  keys: readonly EmailKey[],
): Promise<void> {
  for (const { sentAt, id } of keys) {
    await queries
      .deleteFrom("sums")
      .where("organization_id", "=", organizationId)
      .where("traffic", "in", ["people", "all"])
      .where("sent_at", "=", sentAt)
      .where("campaign_id", "=", id)
      .execute();
  }
}
