// The table `sums`: what each campaign that was sent adds to any total, once per traffic, and what pages filter and sort by.

import {
  type CountName,
  countNames,
  type KindOfNumbers,
  type SurveyFilter,
} from "../../campaign/campaign-number.ts";
import { type ProofName, proofNames } from "../../campaign/events/tally.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import type { SnakeCase, SumColumns, SummandName, Sums } from "../../campaign/sums.ts";
import type { Queries } from "../database.ts";
import { type ColumnKinds, isAnyOf } from "../dialect-differences.ts";
import type { SumsTable } from "../tables.ts";
import { upsertInto } from "../upsert-rows.ts";
import type { EmailKey } from "./emails.ts";

/** The column of each summand, and its type. */
export const summandColumns = {
  countedCampaigns: ["counted_campaigns", "integer"],
  recipients: ["recipients", "integer"],
  settledCampaigns: ["settled_campaigns", "integer"],
  settledCounted: ["settled_counted", "integer"],
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

/** The column of each count that measures the errors of the filter. */
export const proofColumns = {
  provenPeople: "proven_people",
  peopleCalledMachines: "people_called_machines",
  provenMachines: "proven_machines",
  machinesCaught: "machines_caught",
} as const satisfies { [Name in ProofName]: SnakeCase<Name> };

const summands = Object.entries(summandColumns) as [SummandName, (typeof summandColumns)[SummandName]][];

/** The sums of one campaign with one traffic. */
export interface CampaignSums extends EmailKey {
  traffic: TrafficFilter;
  team: string | null;
  sendingType: string | null;
  trackingType: string | null;
  kind: KindOfNumbers;
  surveys: SurveyFilter;
  counts: Record<CountName, number | null>;
  answers: number | null;
  sums: Sums;
  proofs: Record<ProofName, number>;
}

/** The type of each column but the organization. */
export const sumsColumns = {
  traffic: "text",
  sent_at: "integer",
  campaign_id: "integer",
  team: "text",
  sending_type: "text",
  tracking_type: "text",
  kind: "text",
  surveys: "text",
  ...Object.fromEntries(countNames.map((name) => [name, "integer"])),
  answers: "integer",
  ...Object.fromEntries(summands.map(([, column]) => column)),
  ...Object.fromEntries(proofNames.map((name) => [proofColumns[name], "integer"])),
} as ColumnKinds<Omit<SumsTable, "organization_id">>;
const saveRows = upsertInto("sums", sumsColumns, ["traffic", "sent_at", "campaign_id"]);

/** Inserts or replaces the sums of campaigns. */
export function saveSums(
  queries: Queries,
  organizationId: number,
  campaigns: readonly CampaignSums[],
): Promise<void> {
  const rows = campaigns.map(({ sums, counts, proofs, ...campaign }) => [
    ...[campaign.traffic, campaign.sentAt, campaign.id],
    ...[campaign.team, campaign.sendingType, campaign.trackingType],
    ...[campaign.kind, campaign.surveys],
    ...countNames.map((name) => counts[name]),
    campaign.answers,
    ...summands.map(([name]) => sums[name]),
    ...proofNames.map((name) => proofs[name]),
  ]);
  return saveRows(queries, organizationId, rows);
}

/** The saved sums of these campaigns, human traffic first, for checks. */
export async function findSums(
  queries: Queries,
  organizationId: number,
  ids: readonly number[],
): Promise<CampaignSums[]> {
  const rows = await queries
    .selectFrom("sums")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where(isAnyOf(queries, "campaign_id", "integer", ids))
    .orderBy("traffic", "desc")
    .execute();
  return rows.map((row) => ({
    ...{ id: row.campaign_id, sentAt: row.sent_at, traffic: row.traffic, team: row.team },
    ...{ sendingType: row.sending_type, trackingType: row.tracking_type },
    ...{ kind: row.kind, surveys: row.surveys, answers: row.answers },
    counts: Object.fromEntries(countNames.map((name) => [name, row[name]])) as CampaignSums["counts"],
    sums: toSums(row),
    proofs: Object.fromEntries(
      proofNames.map((name) => [name, row[proofColumns[name]]]),
    ) as CampaignSums["proofs"],
  }));
}

/** @param row with a column for each summand; one of a campaign lacks their number */
export function toSums(row: SumColumns & { campaigns?: number }): Sums {
  const sums = { campaigns: Number(row.campaigns ?? 1) } as Sums;
  for (const [name, [column]] of summands) sums[name] = row[column] ?? 0;
  return sums;
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
