// Finds outdated records: those rendered under a smaller render version than the organization has now.

import type { Queries } from "../database.ts";
import { currentRenderVersion } from "../revisions.ts";
import type { RenderedRecord } from "./rendered-records.ts";

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

/** Outdated records, the most outdated first. */
export async function findOutdatedRecords(
  queries: Queries,
  { organizationId, renderVersion, limit }: { organizationId: number; renderVersion: number; limit: number },
): Promise<RenderedRecord[]> {
  return queries
    .selectFrom("records")
    .select(["sent_at as sentAt", "campaign_id as id", "render_version as renderVersion", "record"])
    .where("organization_id", "=", organizationId)
    .where("render_version", "<", renderVersion)
    .orderBy("render_version")
    .limit(limit)
    .execute();
}
