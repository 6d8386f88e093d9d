// Finds the finished records of one page, and how many there are in all.

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
import type { SelectedPage, Timeline } from "./timeline/timeline.ts";

export interface RecordsPage {
  /** The JSON of the records by `sent_at`, then id, the latest first, with commas between them, in its frame. */
  body: string;
  /** Records over all pages. */
  totalEntries: number;
  /** The revision of the organization that all of it is of. */
  revision: number;
}

/** What a page is found in: an organization, and its timeline of the same state. */
export interface OrganizationTimeline {
  organization: Organization;
  timeline: Timeline;
}

/** A timeline says that there are campaigns which are not there. */
export class StaleTimeline extends Error {}

/** Gives the text that stands around the records, from how many there are in all. */
type FrameOf = (totalEntries: number) => JsonEnvelope;

/**
 * Records and total are of one state.
 *
 * @param now campaigns that are to be sent later are not there yet
 * @returns undefined where the organization is no longer as it was given; then it has to be read again
 * @throws TimelineMistaken
 */
export async function findRecords(
  database: Database,
  listed: OrganizationTimeline,
  query: CampaignsQuery,
  now: number,
  frameOf: FrameOf,
): Promise<RecordsPage | undefined> {
  const chosen = choose(listed.timeline, query, now);
  const frame = frameOf(chosen.total);
  const page = await database.query((queries) => findFinished(queries, listed, chosen, frame));
  if (page !== "unfinished") return page;
  return database.snapshot(async (queries) => {
    const organization = await findOrganization(queries, listed.organization.id);
    if (!organization || !isOf(listed, organization)) return undefined;
    return renderPage(queries, { ...listed, organization }, chosen, frame);
  });
}

/** The same within a transaction that has read the organization. */
export async function findRecordsInTransaction(
  queries: Queries,
  listed: OrganizationTimeline,
  query: CampaignsQuery,
  now: number,
  frameOf: FrameOf,
): Promise<RecordsPage | undefined> {
  const chosen = choose(listed.timeline, query, now);
  const frame = frameOf(chosen.total);
  const page = await findFinished(queries, listed, chosen, frame);
  return page === "unfinished" ? renderPage(queries, listed, chosen, frame) : page;
}

function choose(timeline: Timeline, query: CampaignsQuery, now: number): SelectedPage {
  const sentUntil = Math.min(query.sentUntil ?? Number.POSITIVE_INFINITY, now + 1);
  const { sentFrom, tagIds, page, perPage } = query;
  return timeline.select({ sentFrom, sentUntil, tagIds }, (page - 1) * perPage, perPage);
}

/** By one statement, whose state has to be that of the timeline. */
async function findFinished(
  queries: Queries,
  listed: OrganizationTimeline,
  { entries, isContiguous, total }: SelectedPage,
  frame: JsonEnvelope,
): Promise<RecordsPage | "unfinished" | undefined> {
  const { organization } = listed;
  const [first] = entries;
  if (!first) {
    if (!isOf(listed, organization)) return undefined;
    const body = frame.before + frame.after;
    return { body, totalEntries: total, revision: organization.revision };
  }
  const which = isContiguous ? { from: first, limit: entries.length } : { ids: entries.map(({ id }) => id) };
  const found = await joinRecords(queries, organization.id, which, frame);
  if (!found || !isOf(listed, found)) return undefined;
  if (found.count !== entries.length) throw new StaleTimeline();
  if (!found.isCurrent) return "unfinished";
  return { body: found.body, totalEntries: total, revision: found.revision };
}

/** The timeline has to be of the same state; and in another time zone other campaigns would have been asked for. */
function isOf(
  { organization, timeline }: OrganizationTimeline,
  state: Pick<Organization, "timelineRevision" | "renderVersion">,
): boolean {
  return state.timelineRevision === timeline.revision && state.renderVersion === organization.renderVersion;
}

/** Records that were finished before a tag or the time zone changed are rendered here, from what they are made of. */
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
  return { body, totalEntries: total, revision: organization.revision };
}
