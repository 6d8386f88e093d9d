// Finds one page of records: which campaigns are on it, and their rendered JSON.

import { renderRecord } from "../campaign/email-record.ts";
import { findCampaigns } from "../storage/campaigns/campaigns.ts";
import {
  findRenderedRecords,
  type JsonEnvelope,
  joinRecords,
} from "../storage/campaigns/rendered-records.ts";
import type { Database, Queries } from "../storage/database.ts";
import { findOrganization, type Organization } from "../storage/organizations.ts";
import type { CampaignsQuery } from "./campaigns-query.ts";
import { excludeScheduled } from "./timeline/batches.ts";
import type { SelectedPage, Timeline } from "./timeline/timeline.ts";

export interface RecordsPage {
  /** The records by `sent_at`, then id, newest first, comma-separated, inside the JSON envelope. */
  body: string;
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

/** The JSON around the records of a page; it includes their total. */
type EnvelopeOf = (totalEntries: number) => JsonEnvelope;

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
  envelopeOf: EnvelopeOf,
): Promise<RecordsPage | undefined> {
  const selected = selectPage(listed.timeline, query, now);
  const envelope = envelopeOf(selected.total);
  const page = await database.query((queries) => joinCurrentRecords(queries, listed, selected, envelope));
  if (page !== "outdated") return page;
  return database.snapshot(async (queries) => {
    const organization = await findOrganization(queries, listed.organization.id);
    if (!organization || !isCurrent(listed, organization)) return undefined;
    return renderPage(queries, { ...listed, organization }, selected, envelope);
  });
}

/** {@link findRecords} inside a transaction that has already read the organization. */
export async function findRecordsInTransaction(
  queries: Queries,
  listed: OrganizationTimeline,
  query: CampaignsQuery,
  now: number,
  envelopeOf: EnvelopeOf,
): Promise<RecordsPage | undefined> {
  const selected = selectPage(listed.timeline, query, now);
  const envelope = envelopeOf(selected.total);
  const page = await joinCurrentRecords(queries, listed, selected, envelope);
  return page === "outdated" ? renderPage(queries, listed, selected, envelope) : page;
}

function selectPage(timeline: Timeline, query: CampaignsQuery, now: number): SelectedPage {
  const { page, perPage, sentFrom, sentUntil, tagIds } = query;
  const selection = excludeScheduled({ sentFrom, sentUntil, tagIds }, now);
  return timeline.select(selection, (page - 1) * perPage, perPage);
}

/**
 * The page from rendered records, joined by the database in one statement.
 *
 * @returns `outdated` if some records have an older render version; undefined if the organization has changed
 */
async function joinCurrentRecords(
  queries: Queries,
  listed: OrganizationTimeline,
  { entries, isContiguous, total }: SelectedPage,
  envelope: JsonEnvelope,
): Promise<RecordsPage | "outdated" | undefined> {
  const { organization } = listed;
  const [first] = entries;
  if (!first) {
    if (!isCurrent(listed, organization)) return undefined;
    const body = envelope.before + envelope.after;
    return { body, totalEntries: total, revisionId: organization.revisionId };
  }
  const records = isContiguous
    ? { from: first, limit: entries.length }
    : { ids: entries.map(({ id }) => id) };
  const found = await joinRecords(queries, organization.id, records, envelope);
  if (!found || !isCurrent(listed, found)) return undefined;
  if (found.count !== entries.length) throw new StaleTimeline();
  if (!found.isCurrent) return "outdated";
  return { body: found.body, totalEntries: total, revisionId: found.revisionId };
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
  { organization }: OrganizationTimeline,
  { entries, total }: SelectedPage,
  { before, after }: JsonEnvelope,
): Promise<RecordsPage> {
  const ids = entries.map(({ id }) => id);
  const found = await findRenderedRecords(queries, organization.id, ids);
  if (found.length !== ids.length) throw new StaleTimeline();
  const outdated = found
    .filter(({ renderVersion }) => renderVersion !== organization.renderVersion)
    .map(({ id }) => id);
  const records = new Map(found.map(({ id, record }) => [id, record]));
  for (const stored of await findCampaigns(queries, organization.id, outdated)) {
    records.set(stored.campaign.id, renderRecord(stored, organization));
  }
  const body = before + ids.map((id) => records.get(id)).join(",") + after;
  return { body, totalEntries: total, revisionId: organization.revisionId };
}
