// The table `organizations`: the tenants, which own the rows of all other tables.

import { sql } from "kysely";
import { generateSecret } from "../../access/secret.ts";
import { minGroupLimits } from "../../campaign/audience/release-groups.ts";
import { minAnswersLimits } from "../../campaign/release-answers.ts";
import { orNotFound } from "../../errors.ts";
import { removeViews } from "../postgres/views.ts";
import { forUpdate } from "../queries/dialect-differences.ts";
import { nextId } from "../queries/ids.ts";
import type { Queries } from "../queries/queries.ts";
import { columnsOf, objectsOf, type RowObject } from "../queries/rows.ts";
import type { Scope } from "../queries/scope.ts";
import { tablesOfCampaigns } from "../tables/tables.ts";
import { newRandomId } from "./revisions.ts";
import { releaseEmails } from "./user-emails.ts";

/** The secret must not appear in any output or log. Everything cached is cached under the revision id. */
export type Organization = RowObject<"organizations">;

export const toOrganization = objectsOf("organizations");

/** Default number of days after which a counted campaign is closed. */
const closingDays = { named: 400, nameless: 90 } as const;
const defaultAuditDays = 400;
/** A shorter time would let an admin delete the traces of last week. */
export const minAuditDays = 30;

export async function addOrganization(
  queries: Queries,
  { name, timeZone, now }: { name: string; timeZone: string; now: number },
): Promise<Organization> {
  const id = await nextId(queries, "organizations");
  const row = {
    id,
    name,
    time_zone: timeZone,
    revision: now,
    revision_id: newRandomId(),
    history_id: newRandomId(),
    counted_traffic: "people" as const,
    min_answers: minAnswersLimits.default,
    min_group: minGroupLimits.default,
    directory_version: 0,
    close_after_days: closingDays.named,
    close_nameless_after_days: closingDays.nameless,
    audit_days: defaultAuditDays,
    csv_links: "refuse" as const,
    share_links: "refuse" as const,
    persons: "allow" as const,
    set_up: "shown" as const,
    last_campaign_id: 0,
    secret: generateSecret(),
  };
  await queries.insertInto("organizations").values(row).execute();
  return toOrganization(row);
}

export async function listOrganizations(queries: Queries): Promise<Organization[]> {
  return (await queries.selectFrom("organizations").selectAll().orderBy("id").execute()).map(toOrganization);
}

export async function findOrganization(scope: Scope): Promise<Organization | undefined> {
  const row = await scope.queries
    .selectFrom("organizations")
    .selectAll()
    .where("id", "=", scope.organizationId)
    .executeTakeFirst();
  return row && toOrganization(row);
}

/**
 * Finds an organization and locks it until the transaction ends. Every transaction that writes rows of an organization
 * does this first, so that two of them never deadlock.
 */
export async function lockOrganization(scope: Scope): Promise<Organization | undefined> {
  const select = scope.queries.selectFrom("organizations").selectAll().where("id", "=", scope.organizationId);
  const row = await forUpdate(scope, select).executeTakeFirst();
  return row && toOrganization(row);
}

/** @throws AppError `not_found` if the organization does not exist */
export async function organizationOf(scope: Scope, find = findOrganization): Promise<Organization> {
  return orNotFound(await find(scope), `organization ${scope.organizationId} does not exist`);
}

export type OrganizationChange = Partial<
  Pick<
    Organization,
    | "name"
    | "timeZone"
    | "countedTraffic"
    | "minAnswers"
    | "minGroup"
    | "directoryVersion"
    | "closeAfterDays"
    | "closeNamelessAfterDays"
    | "auditDays"
    | "csvLinks"
    | "shareLinks"
    | "persons"
    | "setUp"
  >
>;

/** Saves settings. `counting/campaigns/change-organization.ts` also publishes again the records that show them. */
export async function saveOrganization(scope: Scope, change: OrganizationChange): Promise<void> {
  const columns = columnsOf<"organizations">(change);
  if (Object.keys(columns).length > 0)
    await scope.queries
      .updateTable("organizations")
      .set(columns)
      .where("id", "=", scope.organizationId)
      .execute();
}

/** Ids that are skipped after a backup was restored, because they may have been given out since the backup. */
export const skippedIds = 1_000;

/** Saves that a new history of revisions begins: cursors of clients are refused. */
export async function saveNewHistory(scope: Scope): Promise<void> {
  await sql`update organizations set history_id = ${newRandomId()},
    last_campaign_id = last_campaign_id + ${skippedIds} where "id" = ${scope.organizationId}`.execute(scope);
}

/** Deletes an organization, all of its rows, and its views. */
export async function deleteOrganization(scope: Scope): Promise<void> {
  await removeViews(scope, { cascade: true });
  // Not all of these have a foreign key to cascade.
  for (const table of ["event_ids", "recipients", "directory", ...tablesOfCampaigns] as const) {
    await scope.deleteRows(table);
  }
  await releaseEmails(scope);
  await scope.queries.deleteFrom("organizations").where("id", "=", scope.organizationId).execute();
}
