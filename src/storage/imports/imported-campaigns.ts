// The table `imported_campaigns`: the imports that brought each campaign, in order, so that any of them can be undone.
//
// What an import said of a campaign is in `before` of the next one, or in the campaign itself. So each change of a campaign
// is either added here, or ends the history of the campaign.

import { sql } from "kysely";
import { rowsPerStatement } from "../queries/database.ts";
import { upsertInto } from "../queries/insert-rows.ts";
import type { Scope } from "../queries/scope.ts";
import type { Tables } from "../tables/tables.ts";

/** Adds imports to the histories of campaigns, or changes what campaigns were before them. */
export const saveImportedCampaigns = upsertInto("imported_campaigns");

/** The histories of campaigns, each from the first import to the last; campaigns without one are missing. */
export async function findHistories(
  scope: Scope,
  campaignIds: readonly number[],
): Promise<Map<number, Tables["imported_campaigns"][]>> {
  const found = scope.selectRows("imported_campaigns", { campaign_id: campaignIds });
  const rows = await found.orderBy("position").execute();
  return Map.groupBy(rows, (row) => row.campaign_id);
}

/** The ids of the first campaigns of an import. */
export async function findImportedIds(
  scope: Scope,
  importId: number,
  limit = rowsPerStatement,
): Promise<number[]> {
  const rows = await scope
    .selectRows("imported_campaigns", { import_id: importId })
    .orderBy("campaign_id")
    .limit(limit)
    .execute();
  return rows.map((row) => row.campaign_id);
}

/** The ids of all tags that campaigns had before an import. */
export async function findTagsBefore(scope: Scope): Promise<number[]> {
  const { rows } = await sql<{ json: string }>`select distinct tags_before as json
    from imported_campaigns where organization_id = ${scope.organizationId}`.execute(scope);
  return rows.flatMap(({ json }) => JSON.parse(json) as number[]);
}

/** Ends the histories of campaigns that something else than an import brought or changed: no undoing touches them. */
export async function endHistories(scope: Scope, campaignIds: readonly number[]): Promise<void> {
  await scope.deleteRows("imported_campaigns", { campaign_id: campaignIds });
}

/** Removes an import from the histories of campaigns. */
export async function deleteImportedCampaigns(
  scope: Scope,
  importId: number,
  campaignIds: readonly number[],
): Promise<void> {
  await scope.deleteRows("imported_campaigns", { import_id: importId, campaign_id: campaignIds });
}

/** Lets the histories of campaigns begin after an import that can no longer be undone. */
export async function settleImport(scope: Scope, importId: number): Promise<void> {
  await sql`delete from imported_campaigns where organization_id = ${scope.organizationId} and exists (
    select 1 from imported_campaigns as settled
    where settled.organization_id = ${scope.organizationId} and settled.import_id = ${importId}
      and settled.campaign_id = imported_campaigns.campaign_id
      and settled.position >= imported_campaigns.position)`.execute(scope);
}
