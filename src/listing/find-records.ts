// Finds the finished records of one page, and how many there are in all.

import { renderRecord } from "../campaign/email-record.ts";
import {
  countCampaigns,
  type FinishedRecord,
  findCampaigns,
  findFinishedRecords,
} from "../storage/campaigns.ts";
import type { Queries } from "../storage/database.ts";
import type { Organization } from "../storage/organizations.ts";
import type { CampaignsQuery } from "./campaigns-query.ts";

export interface RecordsPage {
  /** The JSON of each record, by `sent_at`, then id, the latest first. */
  records: string[];
  /** Records over all pages. */
  totalEntries: number;
}

/**
 * Total and records are of one state of the data when `queries` is one transaction.
 *
 * @param now campaigns that are to be sent later are not there yet
 */
export async function findRecords(
  queries: Queries,
  organization: Organization,
  query: CampaignsQuery,
  now: number,
): Promise<RecordsPage> {
  if (query.tagIds?.length === 0) return { records: [], totalEntries: 0 };
  const sentUntil = Math.min(query.sentUntil ?? Number.POSITIVE_INFINITY, now + 1);
  const filter = {
    organizationId: organization.id,
    sentFrom: query.sentFrom,
    sentUntil,
    tagIds: query.tagIds,
  };
  const totalEntries = await countCampaigns(queries, filter);
  const offset = (query.page - 1) * query.perPage;
  if (offset >= totalEntries) return { records: [], totalEntries };
  const found = await findFinishedRecords(queries, filter, { limit: query.perPage, offset });
  return { records: await renderOutdated(queries, organization, found), totalEntries };
}

/** Records that were finished before a tag or the time zone changed are rendered here, from what they are made of. */
async function renderOutdated(
  queries: Queries,
  organization: Organization,
  found: readonly FinishedRecord[],
): Promise<string[]> {
  const outdated = found.filter(({ rendering }) => rendering !== organization.rendering).map(({ id }) => id);
  if (outdated.length === 0) return found.map(({ record }) => record);
  const renewed = new Map<number, string>();
  for (const stored of await findCampaigns(queries, organization.id, outdated)) {
    renewed.set(stored.campaign.id, renderRecord(stored, organization));
  }
  return found.map(({ id, record }) => renewed.get(id) ?? record);
}
