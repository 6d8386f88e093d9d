// Finds counted campaigns that are due to be closed.

import { sql } from "kysely";
import { dayMs } from "../../campaign/calendar/durations.ts";
import type { Queries } from "../queries/queries.ts";
import type { Scope } from "../queries/scope.ts";
import { isListSaved } from "./named-campaigns.ts";

/** Days after which campaigns are closed, by whether their recipients have names. */
export interface ClosingDays {
  closeAfterDays: number;
  closeNamelessAfterDays: number;
}

/** Whether a change of the closing days closes campaigns sooner, which deletes data. */
export function closesSooner(before: ClosingDays, after: ClosingDays): boolean {
  return (
    after.closeAfterDays < before.closeAfterDays ||
    after.closeNamelessAfterDays < before.closeNamelessAfterDays
  );
}

export async function findCampaignsToClose(
  scope: Scope,
  { now, limit }: { now: number; limit: number },
): Promise<number[]> {
  const rows = await campaignsToClose(scope.queries, now)
    .select("campaigns.id")
    .where("campaigns.organization_id", "=", scope.organizationId)
    .orderBy("campaigns.id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** How many campaigns would be closed at once if the organization had these closing days. */
export async function countCampaignsToClose(
  scope: Scope,
  { now, days }: { now: number; days: ClosingDays },
): Promise<number> {
  const { campaigns } = await campaignsToClose(scope.queries, now, days)
    .select((select) => select.fn.countAll<number>().as("campaigns"))
    .where("campaigns.organization_id", "=", scope.organizationId)
    .executeTakeFirstOrThrow();
  return Number(campaigns);
}

export async function findOrganizationsWithCampaignsToClose(
  queries: Queries,
  now: number,
): Promise<number[]> {
  const rows = await campaignsToClose(queries, now).select("campaigns.organization_id").distinct().execute();
  return rows.map(({ organization_id }) => organization_id);
}

/**
 * Open counted campaigns that were both sent and registered long enough ago.
 *
 * @param days instead of the closing days of the organization
 */
function campaignsToClose(queries: Queries, now: number, days?: ClosingDays) {
  const bigint = (value: number) => sql<number>`cast(${value} as bigint)`;
  return queries
    .selectFrom("campaigns")
    .innerJoin("organizations", "organizations.id", "campaigns.organization_id")
    .where("campaigns.ledger_id", "is not", null)
    .where(isListSaved)
    .where((where) => {
      const [named, nameless] = days
        ? [bigint(days.closeAfterDays), bigint(days.closeNamelessAfterDays)]
        : [where.ref("organizations.close_after_days"), where.ref("organizations.close_nameless_after_days")];
      const after = where
        .case()
        .when("campaigns.tracking_type", "=", "Individual")
        .then(named)
        .else(nameless)
        .end();
      const until = sql<number>`cast(${now} as bigint) - ${after} * ${sql.lit(dayMs)}`;
      return where.and([
        where("campaigns.sent_at", "<", until),
        where("campaigns.registered_at", "<", until),
      ]);
    });
}
