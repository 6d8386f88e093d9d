// Publishes a campaign: its finished record is written with it, so that readers only choose and join text.

import { renderRecord } from "../campaign/email-record.ts";
import type { Tallies } from "../campaign/events/tally.ts";
import {
  findCampaigns,
  findOutdatedCampaigns,
  type StoredCampaign,
  saveCampaigns,
} from "../storage/campaigns/campaigns.ts";
import { saveTallies } from "../storage/campaigns/counted-campaigns.ts";
import { saveRenderedRecords } from "../storage/campaigns/rendered-records.ts";
import { raiseTimelineRevision } from "../storage/campaigns/timeline-changes.ts";
import type { Queries } from "../storage/database.ts";
import { lockOrganization, type Organization, raiseRevision } from "../storage/organizations.ts";

/** A campaign as it is from now on, and as it was; undefined where it is new. */
export interface CampaignChange {
  before: StoredCampaign | undefined;
  after: StoredCampaign;
}

/** Saves new and changed campaigns with their finished records; from the commit on every reader sees them. */
export async function publish(
  queries: Queries,
  organization: Organization,
  changes: readonly CampaignChange[],
  now: number,
): Promise<void> {
  const { id: organizationId, renderVersion } = organization;
  const moved = new Set(changes.filter(changesTimeline));
  const raise = moved.size > 0 ? raiseTimelineRevision : raiseRevision;
  const revision = await raise(queries, organizationId, now);
  const finished = changes.map((change) => ({
    ...change.after,
    renderVersion,
    record: renderRecord(change.after, organization),
    timelineRevision: moved.has(change) ? revision : null,
  }));
  await saveCampaigns(queries, organizationId, finished);
}

/** Whether the campaign is new, or has another place in the order of the records, or other tags. */
function changesTimeline({ before, after }: CampaignChange): boolean {
  if (!before || before.campaign.sentAt !== after.campaign.sentAt) return true;
  const tagIds = new Set(before.tags.map(({ id }) => id));
  return before.tags.length !== after.tags.length || after.tags.some(({ id }) => !tagIds.has(id));
}

/** Publishes campaigns of which nothing but the tallies has changed: the way of every event. */
export async function publishTallies(
  queries: Queries,
  organization: Organization,
  campaigns: readonly (StoredCampaign & { numbers: { counted: Tallies } })[],
  now: number,
): Promise<void> {
  const { id: organizationId, renderVersion } = organization;
  const finished = campaigns.map((stored) => ({
    id: stored.campaign.id,
    tallies: stored.numbers.counted,
    record: renderRecord(stored, organization),
    renderVersion,
  }));
  await saveTallies(queries, organizationId, finished);
  await raiseRevision(queries, organizationId, now);
}

/**
 * Renders some of an organization's outdated records anew (after a tag was renamed, say). Readers see no difference,
 * because they render outdated records themselves; it only saves them that work.
 *
 * @returns how many records were renewed; fewer than `limit` when none is left
 */
export async function renewRecords(queries: Queries, organizationId: number, limit: number): Promise<number> {
  const organization = await lockOrganization(queries, organizationId);
  if (!organization) return 0;
  const { renderVersion } = organization;
  const ids = await findOutdatedCampaigns(queries, { organizationId, renderVersion, limit });
  const records = (await findCampaigns(queries, organizationId, ids)).map((stored) => {
    return { id: stored.campaign.id, record: renderRecord(stored, organization), renderVersion };
  });
  await saveRenderedRecords(queries, organizationId, records);
  return ids.length;
}
