// The table `sums`: what each campaign that was sent adds to any total, once per traffic, and what pages filter and sort by.

import {
  type CountName,
  countNames,
  type KindOfNumbers,
  type SurveyFilter,
} from "../../campaign/campaign-number.ts";
import { type ProofName, proofNames } from "../../campaign/events/tally.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import { type SumColumns, type Sums, snakeCase, summandNames } from "../../campaign/sums.ts";
import type { Queries } from "../database.ts";
import { isAnyOf } from "../dialect-differences.ts";
import { upsertInto } from "../upsert-rows.ts";
import type { EmailKey } from "./emails.ts";

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

const saveRows = upsertInto("sums");

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
    ...summandNames.map((name) => sums[name]),
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
      proofNames.map((name) => [name, row[snakeCase(name)]]),
    ) as CampaignSums["proofs"],
  }));
}

/** @param row with a column for each summand; one of a campaign lacks their number */
export function toSums(row: SumColumns & { campaigns?: number }): Sums {
  const sums = { campaigns: Number(row.campaigns ?? 1) } as Sums;
  for (const name of summandNames) sums[name] = row[snakeCase(name)] ?? 0;
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
