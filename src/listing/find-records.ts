// Finds one page of records: which campaigns are on it, and their rendered JSON.

import { renderRecord } from "../campaign/email-record.ts";
import { findCampaigns } from "../storage/campaigns/campaigns.ts";
import { findCurrentRecords, findRenderedRecords } from "../storage/campaigns/rendered-records.ts";
import type { Database, Queries } from "../storage/database.ts";
import { findOrganization, type Organization } from "../storage/organizations.ts";
import type { CampaignsQuery } from "./campaigns-query.ts";
import { excludeScheduled } from "./timeline/exclude-scheduled.ts";
import type { Timeline } from "./timeline/timeline.ts";

export interface RecordsPage {
  /** The records by `sent_at`, then id, newest first: one or more in each text, to be joined with commas. */
  texts: string[];
  /** Records on all pages. */
  totalEntries: number;
  /** Of the state of the organization that the page shows. */
  revisionId: number;
}

/** An organization and its timeline, both of the same revision. */
export interface OrganizationTimeline {
  organization: Organization;
  timeline: Timeline;
}

/** The timeline lists campaigns that the database does not have. */
export class StaleTimeline extends Error {}

/**
 * Finds a page by one statement where possible. Records and total always show the same revision.
 *
 * @param now campaigns scheduled for later are not listed
 * @returns undefined if the organization has changed since it was read; read it again and retry
 * @throws StaleTimeline if the timeline no longer matches the database
 */
export async function findRecords(
  database: Database,
  listed: OrganizationTimeline,
  query: CampaignsQuery,
  now: number,
): Promise<RecordsPage | undefined> {
  const page = await database.query((queries) => findCurrentPage(queries, listed, query, now));
  if (page !== "outdated") return page;
  return database.snapshot(async (queries) => {
    const organization = await findOrganization(queries, listed.organization.id);
    if (!organization || !isCurrent(listed, organization)) return undefined;
    return renderPage(queries, { ...listed, organization }, query, now);
  });
}

/** {@link findRecords} inside a transaction that has already read the organization. */
export async function findRecordsInTransaction(
  queries: Queries,
  listed: OrganizationTimeline,
  query: CampaignsQuery,
  now: number,
): Promise<RecordsPage | undefined> {
  const page = await findCurrentPage(queries, listed, query, now);
  return page === "outdated" ? renderPage(queries, listed, query, now) : page;
}

/**
 * The page from rendered records, by one statement.
 *
 * @returns `outdated` if some records have an older render version; undefined if the organization has changed
 */
async function findCurrentPage(
  queries: Queries,
  listed: OrganizationTimeline,
  query: CampaignsQuery,
  now: number,
): Promise<RecordsPage | "outdated" | undefined> {
  const { organization, timeline } = listed;
  const place = placeOf(query, now);
  const { range, total } = timeline.selectRange(...place);
  if (!range) {
    if (!isCurrent(listed, organization)) return undefined;
    return { texts: [], totalEntries: total, revisionId: organization.revisionId };
  }
  const records = range.isContiguous ? range : timeline.select(...place);
  const { id, renderVersion } = organization;
  const found = await findCurrentRecords(queries, id, renderVersion, records);
  if (!found || !isCurrent(listed, found)) return undefined;
  if (!found.texts) return "outdated";
  return { texts: found.texts, totalEntries: total, revisionId: found.revisionId };
}

/** The selection of a query, and which part of it the page is. */
function placeOf(
  { page, perPage, sentFrom, sentUntil, tagIds }: CampaignsQuery,
  now: number,
): Parameters<Timeline["select"]> {
  return [excludeScheduled({ sentFrom, sentUntil, tagIds }, now), (page - 1) * perPage, perPage];
}

/**
 * Whether the database still matches the timeline and the organization. The render version matters too: it rises when
 * the time zone changes, and then the same query selects other campaigns.
 */
function isCurrent(
  { organization, timeline }: OrganizationTimeline,
  state: Pick<Organization, "timelineRevisionId" | "renderVersion">,
): boolean {
  return (
    state.timelineRevisionId === timeline.revisionId && state.renderVersion === organization.renderVersion
  );
}

/** Renders the outdated records of a page on the fly. */
async function renderPage(
  queries: Queries,
  { organization, timeline }: OrganizationTimeline,
  query: CampaignsQuery,
  now: number,
): Promise<RecordsPage> {
  const { entries, total } = timeline.select(...placeOf(query, now));
  const found = await findRenderedRecords(queries, organization.id, entries);
  if (found.length !== entries.length) throw new StaleTimeline();
  const outdated = found
    .filter(({ renderVersion }) => renderVersion !== organization.renderVersion)
    .map(({ id }) => id);
  const records = new Map(found.map(({ id, record }) => [id, record]));
  for (const stored of await findCampaigns(queries, organization.id, outdated)) {
    records.set(stored.campaign.id, renderRecord(stored, organization));
  }
  const texts = entries.map(({ id }) => records.get(id) as string);
  return { texts, totalEntries: total, revisionId: organization.revisionId };
}
