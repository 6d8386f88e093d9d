// Publishes campaigns: renders each record when it is written, so that readers only select and join text.

import { renderRecord } from "../campaign/email-record.ts";
import type { Tallies } from "../campaign/events/tally.ts";
import { saveCampaignRevisions } from "../storage/campaigns/campaign-revisions.ts";
import { findCampaigns, saveCampaigns } from "../storage/campaigns/campaigns.ts";
import type { IndexEntry } from "../storage/campaigns/index-entries.ts";
import { findOutdatedRecords } from "../storage/campaigns/outdated-records.ts";
import { deleteRenderedRecords, saveRenderedRecords } from "../storage/campaigns/rendered-records.ts";
import type { StoredCampaign } from "../storage/campaigns/stored-campaign.ts";
import { saveTallies } from "../storage/campaigns/tallies.ts";
import type { Queries } from "../storage/database.ts";
import { lockOrganization, type Organization } from "../storage/organizations.ts";
import { isOfOtherProgram, raiseRevisions } from "../storage/revisions.ts";

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
  const { id: organizationId } = organization;
  const moved = new Set(changes.filter(changesTimeline));
  const kind = moved.size > 0 ? "timeline" : "content";
  const revision = await raiseRevisions(queries, organizationId, kind, now);
  await saveCampaigns(
    queries,
    organizationId,
    changes.map((change) => ({ ...change.after, timelineRevision: moved.has(change) ? revision : null })),
  );
  const leftEntries = changes.flatMap(({ before, after }) =>
    before && before.campaign.sentAt !== after.campaign.sentAt ? [before.campaign] : [],
  );
  await deleteRenderedRecords(queries, organizationId, leftEntries);
  const campaigns = changes.map(({ after }) => after);
  await saveRecordsOf(queries, organization, campaigns);
  await saveCampaignRevisions(queries, organizationId, campaigns.map(entryOf));
}

const entryOf = ({ campaign: { id, sentAt } }: StoredCampaign): IndexEntry => ({ id, sentAt });

function saveRecordsOf(
  queries: Queries,
  organization: Organization,
  campaigns: readonly StoredCampaign[],
): Promise<void> {
  const { id: organizationId, renderVersion } = organization;
  const records = campaigns.map((stored) => {
    return { ...entryOf(stored), record: renderRecord(stored, organization), renderVersion };
  });
  return saveRenderedRecords(queries, organizationId, records);
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
  const tallies = campaigns.map(({ campaign, numbers }) => ({ id: campaign.id, tallies: numbers.tallies }));
  await saveTallies(queries, organization.id, tallies);
  await saveRecordsOf(queries, organization, campaigns);
  await raiseRevisions(queries, organization.id, "content", now);
  await saveCampaignRevisions(queries, organization.id, campaigns.map(entryOf));
}

/**
 * Renders outdated records again, for example after a tag was renamed. Readers see no difference, because they render
 * outdated records themselves. This saves them that work. Records that another version of the program rendered
 * differently count as changed.
 *
 * @returns the number of rendered records; fewer than `limit` if no more are outdated
 */
export async function renderOutdatedRecords(
  queries: Queries,
  organizationId: number,
  { limit, now }: { limit: number; now: number },
): Promise<number> {
  const organization = await lockOrganization(queries, organizationId);
  if (!organization) return 0;
  const { renderVersion } = organization;
  const outdated = await findOutdatedRecords(queries, { organizationId, renderVersion, limit });
  const ids = outdated.map(({ id }) => id);
  const campaigns = await findCampaigns(queries, organizationId, ids);
  await saveRecordsOf(queries, organization, campaigns);
  const before = new Map(
    outdated.filter((each) => isOfOtherProgram(each.renderVersion)).map(({ id, record }) => [id, record]),
  );
  const changed = campaigns.filter((stored) => {
    const record = before.get(stored.campaign.id);
    return record !== undefined && record !== renderRecord(stored, organization);
  });
  if (changed.length > 0) {
    await raiseRevisions(queries, organizationId, "content", now);
    await saveCampaignRevisions(queries, organizationId, changed.map(entryOf));
  }
  // Only damage leaves a record without its campaign. It stays outdated, and must not keep the upkeep busy for ever.
  const sentAt = new Map(campaigns.map(({ campaign }) => [campaign.id, campaign.sentAt]));
  return outdated.filter((each) => sentAt.get(each.id) === each.sentAt).length;
}
