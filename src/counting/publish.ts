// Publishes campaigns: renders each record when it is written, so that readers only select and join text.

import { renderRecord } from "../campaign/email-record.ts";
import type { Tallies } from "../campaign/events/tally.ts";
import { findCampaigns, saveCampaigns } from "../storage/campaigns/campaigns.ts";
import { findOutdatedCampaigns } from "../storage/campaigns/outdated-records.ts";
import { saveRenderedRecords } from "../storage/campaigns/rendered-records.ts";
import type { StoredCampaign } from "../storage/campaigns/stored-campaign.ts";
import { saveTallies } from "../storage/campaigns/tallies.ts";
import type { Queries } from "../storage/database.ts";
import { lockOrganization, type Organization } from "../storage/organizations.ts";
import { raiseRevisions } from "../storage/revisions.ts";

export interface CampaignChange {
  /** Undefined if the campaign is new. */
  before: StoredCampaign | undefined;
  after: StoredCampaign;
}

/** Saves new and changed campaigns with their rendered records. Readers see them from the commit on. */
export async function publish(
  queries: Queries,
  organization: Organization,
  changes: readonly CampaignChange[],
  now: number,
): Promise<void> {
  const { id: organizationId, renderVersion } = organization;
  const moved = new Set(changes.filter(changesTimeline));
  const kind = moved.size > 0 ? "timeline" : "content";
  const revision = await raiseRevisions(queries, organizationId, kind, now);
  const rendered = changes.map((change) => ({
    ...change.after,
    renderVersion,
    record: renderRecord(change.after, organization),
    timelineRevision: moved.has(change) ? revision : null,
  }));
  await saveCampaigns(queries, organizationId, rendered);
}

/** Whether the campaign is new, or its send time or tags change. */
function changesTimeline({ before, after }: CampaignChange): boolean {
  if (!before || before.campaign.sentAt !== after.campaign.sentAt) return true;
  const tagIds = new Set(before.tags.map(({ id }) => id));
  return before.tags.length !== after.tags.length || after.tags.some(({ id }) => !tagIds.has(id));
}

/** Publishes campaigns of which only the tallies changed. Every event takes this path. */
export async function publishTallies(
  queries: Queries,
  organization: Organization,
  campaigns: readonly (StoredCampaign & { numbers: { tallies: Tallies } })[],
  now: number,
): Promise<void> {
  const { id: organizationId, renderVersion } = organization;
  const rendered = campaigns.map((stored) => ({
    id: stored.campaign.id,
    tallies: stored.numbers.tallies,
    record: renderRecord(stored, organization),
    renderVersion,
  }));
  await saveTallies(queries, organizationId, rendered);
  await raiseRevisions(queries, organizationId, "content", now);
}

/**
 * Renders outdated records again, for example after a tag was renamed. Readers see no difference, because they render
 * outdated records themselves. This only saves them that work.
 *
 * @returns the number of rendered records; fewer than `limit` if no more are outdated
 */
export async function renderOutdatedRecords(
  queries: Queries,
  organizationId: number,
  limit: number,
): Promise<number> {
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
