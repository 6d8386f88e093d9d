// The table `organizations`: the tenants, which own the rows of all other tables.

import { generateSecret } from "../access/secret.ts";
import { minGroupLimits } from "../campaign/audience/release-groups.ts";
import type { TrafficFilter } from "../campaign/events/traffic.ts";
import { minAnswersLimits } from "../campaign/release-answers.ts";
import type { Queries } from "./database.ts";
import { forUpdate } from "./dialect-differences.ts";
import { nextId } from "./ids.ts";
import { removeViews } from "./postgres/views.ts";
import { newRandomId } from "./revisions.ts";
import type { Choice } from "./tables/organizations.ts";
import { type Tables, tablesOfCampaigns } from "./tables.ts";
import { releaseEmails } from "./user-emails.ts";

export interface Organization {
  id: number;
  name: string;
  timeZone: string;
  /** Raised by any change that a reader could see. Use it to compare which state is later. */
  revision: number;
  /** Identifies the state: random, and new with each revision. Everything cached is cached under it. */
  revisionId: number;
  /** Identifies the history of revisions: another one belongs to another database, or to a state that was lost. */
  historyId: number;
  countedTraffic: TrafficFilter;
  /** Survey results from fewer answers are withheld in campaigns without names. */
  minAnswers: number;
  /** Groups of fewer recipients are withheld. */
  minGroup: number;
  /** The version of the directory that counts; 0 without a directory. */
  directoryVersion: number;
  closeAfterDays: number;
  /** For campaigns whose recipients have no names: tracking types Anonymous and Overall. */
  closeNamelessAfterDays: number;
  /** Days after which entries of the audit log are deleted. */
  auditDays: number;
  /** Whether CSV links work. */
  csvLinks: Choice;
  /** Whether share links work. */
  shareLinks: Choice;
  /** Whether recipients may have names: if refused, no campaign has Individual tracking. */
  persons: Choice;
  /** Hex. Must not appear in any output or log. */
  secret: string;
}

/** Default number of days after which a counted campaign is closed. */
export const closingDays = { named: 400, nameless: 90 } as const;
const defaultAuditDays = 400;
/** Fewer would let an admin delete the traces of last week. */
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
    secret: generateSecret(),
  };
  await queries.insertInto("organizations").values(row).execute();
  return toOrganization(row);
}

export async function listOrganizations(queries: Queries): Promise<Organization[]> {
  const rows = await queries.selectFrom("organizations").selectAll().orderBy("id").execute();
  return rows.map(toOrganization);
}

export async function findOrganization(queries: Queries, id: number): Promise<Organization | undefined> {
  const row = await queries.selectFrom("organizations").selectAll().where("id", "=", id).executeTakeFirst();
  return row && toOrganization(row);
}

/**
 * Finds an organization and locks it until the transaction ends. Every transaction that writes rows of an organization
 * does this first, so that two of them never deadlock.
 */
export async function lockOrganization(queries: Queries, id: number): Promise<Organization | undefined> {
  const select = queries.selectFrom("organizations").selectAll().where("id", "=", id);
  const row = await forUpdate(queries, select).executeTakeFirst();
  return row && toOrganization(row);
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
  >
>;

/** Saves settings. `counting/campaigns/change-organization.ts` also publishes again the records that show them. */
export async function saveOrganization(
  queries: Queries,
  id: number,
  {
    name,
    timeZone,
    countedTraffic,
    minAnswers,
    minGroup,
    directoryVersion,
    closeAfterDays,
    closeNamelessAfterDays,
    auditDays,
    csvLinks,
    shareLinks,
    persons,
  }: OrganizationChange,
): Promise<void> {
  const change = {
    ...(name !== undefined && { name }),
    ...(timeZone !== undefined && { time_zone: timeZone }),
    ...(countedTraffic !== undefined && { counted_traffic: countedTraffic }),
    ...(minAnswers !== undefined && { min_answers: minAnswers }),
    ...(minGroup !== undefined && { min_group: minGroup }),
    ...(directoryVersion !== undefined && { directory_version: directoryVersion }),
    ...(closeAfterDays !== undefined && { close_after_days: closeAfterDays }),
    ...(closeNamelessAfterDays !== undefined && { close_nameless_after_days: closeNamelessAfterDays }),
    ...(auditDays !== undefined && { audit_days: auditDays }),
    ...(csvLinks !== undefined && { csv_links: csvLinks }),
    ...(shareLinks !== undefined && { share_links: shareLinks }),
    ...(persons !== undefined && { persons }),
  };
  if (Object.keys(change).length === 0) return;
  await queries.updateTable("organizations").set(change).where("id", "=", id).execute();
}

/** Saves that a new history of revisions begins: cursors of clients are refused. */
export async function saveNewHistory(queries: Queries, id: number): Promise<void> {
  await queries
    .updateTable("organizations")
    .set({ history_id: newRandomId() })
    .where("id", "=", id)
    .execute();
}

/** Deletes an organization, all of its rows, and its views. */
export async function deleteOrganization(queries: Queries, id: number): Promise<void> {
  await removeViews(queries, id, { cascade: true });
  // Not all of these have a foreign key to cascade.
  for (const table of ["event_ids", "recipients", "directory", ...tablesOfCampaigns] as const) {
    await queries.deleteFrom(table).where("organization_id", "=", id).execute();
  }
  await releaseEmails(queries, id);
  await queries.deleteFrom("organizations").where("id", "=", id).execute();
}

export function toOrganization(row: Tables["organizations"]): Organization {
  return {
    id: row.id,
    name: row.name,
    timeZone: row.time_zone,
    revision: row.revision,
    revisionId: row.revision_id,
    historyId: row.history_id,
    countedTraffic: row.counted_traffic,
    minAnswers: row.min_answers,
    minGroup: row.min_group,
    directoryVersion: row.directory_version,
    closeAfterDays: row.close_after_days,
    closeNamelessAfterDays: row.close_nameless_after_days,
    auditDays: row.audit_days,
    csvLinks: row.csv_links,
    shareLinks: row.share_links,
    persons: row.persons,
    secret: row.secret,
  };
}
