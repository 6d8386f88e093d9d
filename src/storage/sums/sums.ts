// The table `sums`: what each campaign that was sent adds to any total, once per traffic, and what pages filter and sort by.

import { type ProofName, proofNames } from "../../campaign/events/tally.ts";
import { trafficFilters } from "../../campaign/events/traffic.ts";
import {
  type SnakeCase,
  type SumColumns,
  type Sums,
  snakeCase,
  summandColumns,
} from "../../campaign/sums.ts";
import type { EmailKey } from "../campaigns/emails.ts";
import { upsertInto } from "../queries/insert-rows.ts";
import type { Scope } from "../queries/scope.ts";
import type { Tables } from "../tables/tables.ts";

/** The sums of one campaign with one traffic. */
export type CampaignSums = Omit<Tables["sums"], "organization_id">;

/** Inserts or replaces the sums of campaigns. */
export const saveSums = upsertInto("sums");

/** The saved sums of these campaigns, human traffic first, for checks. */
export async function findSums(scope: Scope, ids: readonly number[]): Promise<CampaignSums[]> {
  const rows = await scope.selectRows("sums", { campaign_id: ids }).orderBy("traffic", "desc").execute();
  return rows.map(({ organization_id: _, ...sums }) => sums);
}

/** @param row with a column for each summand; one of a campaign lacks their number */
export function toSums(row: SumColumns & { campaigns?: number }): Sums {
  const sums = { campaigns: Number(row.campaigns ?? 1) } as Sums;
  for (const [name, column] of summandColumns) sums[name] = row[column] ?? 0;
  return sums;
}

const proofColumns = proofNames.map((name) => [name, snakeCase(name)] as const);

type SumsOnly = SumColumns & { [Name in ProofName as SnakeCase<Name>]: number };

/** A row with the sums of a campaign, and what its human traffic says of the filter. Most events make two of them. */
export function withSums(
  row: Omit<CampaignSums, keyof SumsOnly>,
  sums: Sums,
  proofs: Record<ProofName, number>,
): CampaignSums {
  const values = row as Record<string, unknown>;
  for (const [name, column] of summandColumns) values[column] = sums[name];
  for (const [name, column] of proofColumns) values[column] = proofs[name];
  return values as CampaignSums;
}

/** Deletes the sums of campaigns that are deleted, or move to another send time. */
export async function deleteSums(scope: Scope, keys: readonly EmailKey[]): Promise<void> {
  for (const { sentAt, id } of keys) {
    for (const traffic of trafficFilters) {
      await scope.deleteRows("sums", { traffic, sent_at: sentAt, campaign_id: id });
    }
  }
}
