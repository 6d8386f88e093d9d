// The table `organizations`: the owners of everything else.

import { sql } from "kysely";
import { generateSecret } from "../access/secret.ts";
import { recordFormat } from "../campaign/email-record.ts";
import type { CountedTraffic } from "../campaign/events/traffic.ts";
import type { Queries } from "./database.ts";
import { forUpdate } from "./dialect-differences.ts";
import { nextId } from "./ids.ts";
import type { OrganizationsTable } from "./tables.ts";

export interface Organization {
  id: number;
  name: string;
  timeZone: string;
  /** Raised by any change that a reader could see; never repeats. */
  revision: number;
  /** The revision of the last change of which campaigns there are, when they were sent, or which tags they carry. */
  timelineRevision: number;
  /** The rendering number: a record that was made under a smaller one has to be rendered anew. */
  renderVersion: number;
  countedTraffic: CountedTraffic;
  closeAfterDays: number;
  /** Where recipients have no names: Anonymous and Overall. */
  closeNamelessAfterDays: number;
  /** In hex. Nothing that is shown or logged may hold it. */
  secret: string;
}

/** Days after which a counted campaign is closed, unless the organization sets others. */
export const closingDays = { named: 400, nameless: 90 } as const;

/** Record formats of the program that fit into one step of an organization's own rendering number. */
export const recordFormatsMax = 1000;

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
    timeline_revision: 0,
    render_version: 1,
    counted_traffic: "people" as const,
    close_after_days: closingDays.named,
    close_nameless_after_days: closingDays.nameless,
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
 * Finds an organization in order to change something of it: until the transaction ends, nobody else does. It comes before
 * everything else that a transaction writes, so that two of them never wait for each other.
 */
export async function lockOrganization(queries: Queries, id: number): Promise<Organization | undefined> {
  const found = queries.selectFrom("organizations").selectAll().where("id", "=", id);
  const row = await forUpdate(queries, found).executeTakeFirst();
  return row && toOrganization(row);
}

export type OrganizationChange = Partial<
  Pick<Organization, "name" | "timeZone" | "countedTraffic" | "closeAfterDays" | "closeNamelessAfterDays">
>;

/** Another time zone, and what counts, let every record read differently, at once. */
export async function changeOrganization(
  queries: Queries,
  id: number,
  { name, timeZone, countedTraffic, closeAfterDays, closeNamelessAfterDays }: OrganizationChange,
  now: number,
): Promise<void> {
  const change = {
    ...(name !== undefined && { name }),
    ...(timeZone !== undefined && { time_zone: timeZone }),
    ...(countedTraffic !== undefined && { counted_traffic: countedTraffic }),
    ...(closeAfterDays !== undefined && { close_after_days: closeAfterDays }),
    ...(closeNamelessAfterDays !== undefined && { close_nameless_after_days: closeNamelessAfterDays }),
  };
  if (Object.keys(change).length === 0) return;
  await queries.updateTable("organizations").set(change).where("id", "=", id).execute();
  if (timeZone !== undefined || countedTraffic !== undefined) await raiseRenderVersion(queries, id, now);
}

/** Besides `campaigns`: where a campaign has rows. They have to be deleted with it: not all refer to it on both databases. */
export const tablesOfCampaigns = ["campaign_tags", "campaign_hours", "campaign_links"] as const;

/** Deletes an organization and all that belongs to it. */
export async function deleteOrganization(queries: Queries, id: number): Promise<void> {
  // Not on both databases does anything else tie these to their organization.
  for (const table of ["event_ids", "recipients", ...tablesOfCampaigns] as const) {
    await queries.deleteFrom(table).where("organization_id", "=", id).execute();
  }
  await queries.deleteFrom("organizations").where("id", "=", id).execute();
}

/**
 * To be called in the transaction of any change that a reader could see. The revision is at least the time in
 * milliseconds, so that it never repeats, not even after a restored backup.
 *
 * @returns the revision from now on
 */
export async function raiseRevision(queries: Queries, id: number, now: number): Promise<number> {
  const { revision } = await queries
    .updateTable("organizations")
    .set({ revision: sql<number>`case when revision >= ${now} then revision + 1 else ${now} end` })
    .where("id", "=", id)
    .returning("revision")
    .executeTakeFirstOrThrow();
  return revision;
}

/** To be called instead where every record of the organization reads differently: takes the same time for any number. */
export async function raiseRenderVersion(queries: Queries, id: number, now: number): Promise<void> {
  await raiseRevision(queries, id, now);
  await queries
    .updateTable("organizations")
    .set((set) => ({ render_version: set("render_version", "+", 1) }))
    .where("id", "=", id)
    .execute();
}

export function toOrganization(row: OrganizationsTable): Organization {
  return {
    id: row.id,
    name: row.name,
    timeZone: row.time_zone,
    revision: row.revision,
    timelineRevision: row.timeline_revision,
    renderVersion: renderVersionOf(row),
    countedTraffic: row.counted_traffic,
    closeAfterDays: row.close_after_days,
    closeNamelessAfterDays: row.close_nameless_after_days,
    secret: row.secret,
  };
}

/** The rendering number of records that are made by this program now. */
export function renderVersionOf({ render_version }: Pick<OrganizationsTable, "render_version">): number {
  return render_version * recordFormatsMax + recordFormat;
}
