// Changes what all records of an organization show, and publishes them again in the same transaction.

import { AppError } from "../../errors.ts";
import { findCampaignIds } from "../../storage/campaigns/campaigns.ts";
import type { Queries } from "../../storage/database.ts";
import {
  findOrganization,
  type OrganizationChange,
  saveNewHistory,
  saveOrganization,
} from "../../storage/organizations.ts";
import { publishAgain } from "../publish.ts";

/** @throws AppError `not_found` if the organization does not exist */
export async function changeOrganization(
  queries: Queries,
  id: number,
  change: OrganizationChange,
  now: number,
): Promise<void> {
  await saveOrganization(queries, id, change);
  const hasNewSums = change.minAnswers !== undefined;
  if (change.timeZone !== undefined || change.countedTraffic !== undefined || hasNewSums)
    await publishAll(queries, id, { now, hasNewSums });
}

/**
 * Starts a new history of revisions: cursors of clients are refused, and every record counts as changed. After a backup
 * was restored, clients may know changes that the database does not have.
 */
export async function startNewHistory(queries: Queries, id: number, now: number): Promise<void> {
  await saveNewHistory(queries, id);
  await publishAll(queries, id, { now });
}

async function publishAll(
  queries: Queries,
  id: number,
  options: { now: number; hasNewSums?: boolean },
): Promise<void> {
  const organization = await findOrganization(queries, id);
  if (!organization) throw new AppError("not_found", `organization ${id} does not exist`);
  await publishAgain(queries, organization, await findCampaignIds(queries, id), options);
}
