// Finds outdated records: those rendered under a smaller render version than the organization has now.

import type { Queries } from "../database.ts";
import { currentRenderVersion } from "../revisions.ts";

export async function findOrganizationsWithOutdatedRecords(queries: Queries): Promise<number[]> {
  const rows = await queries
    .selectFrom("organizations")
    .select("id")
    .where((where) =>
      where.exists(
        where
          .selectFrom("records")
          .select("records.campaign_id")
          .whereRef("records.organization_id", "=", "organizations.id")
          .where("records.render_version", "<", currentRenderVersion),
      ),
    )
    .execute();
  return rows.map(({ id }) => id);
}

/** Ids of campaigns with an outdated record, the most outdated first. */
export async function findOutdatedCampaigns(
  queries: Queries,
  { organizationId, renderVersion, limit }: { organizationId: number; renderVersion: number; limit: number },
): Promise<number[]> {
  const rows = await queries
    .selectFrom("records")
    .select("campaign_id as id")
    .where("organization_id", "=", organizationId)
    .where("render_version", "<", renderVersion)
    .orderBy("render_version")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
