// Campaigns with names in organizations that refuse persons.

import { sql } from "kysely";
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

/** Whether no list of a campaign is being saved. Staged recipients have the names that the campaign had. */
export const isListSaved = sql<boolean>`not exists (select 1 from recipient_lists
  where recipient_lists.organization_id = campaigns.organization_id and recipient_lists.campaign_id = campaigns.id)`;

/** Counted campaigns with Individual tracking that are not closed. */
function namedCampaigns(queries: Queries) {
  return queries
    .selectFrom("campaigns")
    .innerJoin("organizations", "organizations.id", "campaigns.organization_id")
    .where("organizations.persons", "=", "refuse")
    .where("campaigns.tracking_type", "=", "Individual")
    .where("campaigns.ledger_id", "is not", null)
    .where(isListSaved);
}
