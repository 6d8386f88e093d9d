// The table `organizations`: the tenants, which own the rows of all other tables.

import { generateSecret } from "../access/secret.ts";
import type { TrafficFilter } from "../campaign/events/traffic.ts";
import type { Queries } from "./database.ts";
import { forUpdate } from "./dialect-differences.ts";
import { nextId } from "./ids.ts";
import { removeViews } from "./postgres/views.ts";
import { newRandomId, raiseRevisions, renderVersionOf } from "./revisions.ts";
import { type CsvLinks, campaignTables, type OrganizationsTable } from "./tables.ts";
import { releaseEmails } from "./user-emails.ts";

export interface Organization {
  id: number;
  name: string;
  timeZone: string;
  /** Raised by any change that a reader could see. Use it to compare which state is later. */
  revision: number;
  /** Identifies the state: random, and new with each revision. Everything cached is cached under it. */
  revisionId: number;
  /** The revision of the last change of the timeline: which campaigns exist, when they were sent, their tags. */
  timelineRevision: number;
  timelineRevisionId: number;
  /** Records with a smaller render version are outdated. */
  renderVersion: number;
  /** The revision at which all records last changed together; 0 before. */
  renderRevision: number;
  /** Identifies the history of revisions: another one belongs to another database, or to a state that was lost. */
  historyId: number;
  countedTraffic: TrafficFilter;
  closeAfterDays: number;
  /** For campaigns whose recipients have no names: tracking types Anonymous and Overall. */
  closeNamelessAfterDays: number;
  /** Whether CSV links work. */
  csvLinks: CsvLinks;
  /** Hex. Must not appear in any output or log. */
  secret: string;
}

/** Default number of days after which a counted campaign is closed. */
export const closingDays = { named: 400, nameless: 90 } as const;

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
    timeline_revision: 0,
    timeline_revision_id: 0,
    render_version: 1,
    render_revision: 0,
    history_id: newRandomId(),
    counted_traffic: "people" as const,
    close_after_days: closingDays.named,
    close_nameless_after_days: closingDays.nameless,
    csv_links: "refuse" as const,
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
    "name" | "timeZone" | "countedTraffic" | "closeAfterDays" | "closeNamelessAfterDays" | "csvLinks"
  >
>;

export async function changeOrganization(
  queries: Queries,
  id: number,
  { name, timeZone, countedTraffic, closeAfterDays, closeNamelessAfterDays, csvLinks }: OrganizationChange,
  now: number,
): Promise<void> {
  const change = {
    ...(name !== undefined && { name }),
    ...(timeZone !== undefined && { time_zone: timeZone }),
    ...(countedTraffic !== undefined && { counted_traffic: countedTraffic }),
    ...(closeAfterDays !== undefined && { close_after_days: closeAfterDays }),
    ...(closeNamelessAfterDays !== undefined && { close_nameless_after_days: closeNamelessAfterDays }),
    ...(csvLinks !== undefined && { csv_links: csvLinks }),
  };
  if (Object.keys(change).length === 0) return;
  await queries.updateTable("organizations").set(change).where("id", "=", id).execute();
  if (timeZone !== undefined || countedTraffic !== undefined) {
    await raiseRevisions(queries, id, "allRecords", now);
  }
}

/**
 * Starts a new history of revisions: cursors of clients are refused, and every record counts as changed. After a backup
 * was restored, clients may know changes that the database does not have.
 */
export async function startNewHistory(queries: Queries, id: number, now: number): Promise<void> {
  await queries
    .updateTable("organizations")
    .set({ history_id: newRandomId() })
    .where("id", "=", id)
    .execute();
  await raiseRevisions(queries, id, "allRecords", now);
}

/** Deletes an organization, all of its rows, and its views. */
export async function deleteOrganization(queries: Queries, id: number): Promise<void> {
  await removeViews(queries, id, { cascade: true });
  // Not all of these have a foreign key to cascade.
  for (const table of ["event_ids", "recipients", "records", ...campaignTables] as const) {
    await queries.deleteFrom(table).where("organization_id", "=", id).execute();
  }
  await releaseEmails(queries, id);
  await queries.deleteFrom("organizations").where("id", "=", id).execute();
}

export function toOrganization(row: OrganizationsTable): Organization {
  return {
    id: row.id,
    name: row.name,
    timeZone: row.time_zone,
    revision: row.revision,
    revisionId: row.revision_id,
    timelineRevision: row.timeline_revision,
    timelineRevisionId: row.timeline_revision_id,
    renderVersion: renderVersionOf(row),
    renderRevision: row.render_revision,
    historyId: row.history_id,
    countedTraffic: row.counted_traffic,
    closeAfterDays: row.close_after_days,
    closeNamelessAfterDays: row.close_nameless_after_days,
    csvLinks: row.csv_links,
    secret: row.secret,
  };
}
