// Campaigns with names in organizations that refuse persons.

import type { Queries } from "../queries/queries.ts";
import type { Scope } from "../queries/scope.ts";

export async function findOrganizationsWithNames(queries: Queries): Promise<number[]> {
  const rows = await namedCampaigns(queries).select("campaigns.organization_id").distinct().execute();
  return rows.map(({ organization_id }) => organization_id);
}

/** Returns the id of any such campaign; undefined if there is none. */
export async function findNamedCampaign(scope: Scope): Promise<number | undefined> {
  const row = await namedCampaigns(scope.queries)
    .select("campaigns.id")
    .where("campaigns.organization_id", "=", scope.organizationId)
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/** Counted campaigns with Individual tracking that are not closed. */
function namedCampaigns(queries: Queries) {
  return queries
    .selectFrom("campaigns")
    .innerJoin("organizations", "organizations.id", "campaigns.organization_id")
    .where("organizations.persons", "=", "refuse")
    .where("campaigns.tracking_type", "=", "Individual")
    .where("campaigns.ledger_id", "is not", null);
}
