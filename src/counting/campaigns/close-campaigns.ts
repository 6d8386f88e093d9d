// Campaigns end: closed, with numbers that stand for ever, or deleted. What they were counted from goes.

import type { Tallies } from "../../campaign/events/tally.ts";
import { AppError } from "../../errors.ts";
import {
  deleteCampaign,
  findCampaigns,
  namesOf,
  type StoredCampaign,
} from "../../storage/campaigns/campaigns.ts";
import { findCampaignsToClose, saveClosedCampaign } from "../../storage/campaigns/counted-campaigns.ts";
import { raiseTimelineRevision } from "../../storage/campaigns/timeline-changes.ts";
import type { Queries } from "../../storage/database.ts";
import { clearLedger, findRetiredLedger, retireLedger } from "../../storage/ledgers.ts";
import { lockOrganization, type Organization } from "../../storage/organizations.ts";
import { deleteQuarantined } from "../../storage/quarantine.ts";

/** So few that whoever waits behind them waits for some ten milliseconds. */
const rowsPerTransaction = 2_000;
const campaignsPerTransaction = 50;

/**
 * Closes a counted campaign: from the commit on its numbers stand, and its secret is gone, so that hashes tell nothing.
 * What it was counted from is cleared away by {@link clearRetired}.
 *
 * @throws Refusal when there is no such campaign, or nothing to close
 */
export async function closeCampaign(
  queries: Queries,
  { id: organizationId, countedTraffic }: Organization,
  id: number,
  now: number,
): Promise<void> {
  const [known] = await findCampaigns(queries, organizationId, [id]);
  if (!known) throw new AppError("not_found", `organization ${organizationId} has no campaign ${id}`);
  if (!known.counting) {
    throw new AppError("conflict", `the numbers of campaign ${id} were imported; there is nothing to close`);
  }
  const { ledgerId } = known.counting;
  if (ledgerId === null) throw new AppError("conflict", `campaign ${id} is closed already`);
  // What the organization counts may be turned round; what has stood once does not change with it.
  const final = (known.numbers as { counted: Tallies }).counted[countedTraffic];
  await saveClosedCampaign(queries, organizationId, {
    id,
    tallies: { people: final, all: final },
    closedAt: now,
  });
  await retireLedger(queries, organizationId, ledgerId);
  await dropWaiting(queries, organizationId, known);
}

/** Events that wait for a campaign that is over will never be counted. */
async function dropWaiting(queries: Queries, organizationId: number, stored: StoredCampaign): Promise<void> {
  await deleteQuarantined(queries, organizationId, { campaigns: namesOf(stored) });
}

/**
 * Closes some campaigns of an organization whose days are over.
 *
 * @returns whether there may be more
 */
export async function closeDueCampaigns(
  queries: Queries,
  organizationId: number,
  now: number,
): Promise<boolean> {
  const organization = await lockOrganization(queries, organizationId);
  if (!organization) return false;
  const due = await findCampaignsToClose(queries, { organizationId, now, limit: campaignsPerTransaction });
  for (const id of due) await closeCampaign(queries, organization, id, now);
  return due.length === campaignsPerTransaction;
}

/** Deletes a campaign and all that hangs on it. Returns whether there was such a campaign. */
export async function removeCampaign(
  queries: Queries,
  organizationId: number,
  id: number,
  now: number,
): Promise<boolean> {
  const [known] = await findCampaigns(queries, organizationId, [id]);
  if (!known) return false;
  await deleteCampaign(queries, organizationId, id);
  const ledgerId = known.counting?.ledgerId ?? null;
  if (ledgerId !== null) await retireLedger(queries, organizationId, ledgerId);
  // Those of a reported one may be counted, should it be registered.
  if (known.counting) await dropWaiting(queries, organizationId, known);
  await raiseTimelineRevision(queries, organizationId, now, { campaignId: id });
  return true;
}

/**
 * Clears away a little of what closed and deleted campaigns were counted from.
 *
 * @returns whether there is more to clear
 */
export async function clearRetired(queries: Queries): Promise<boolean> {
  const retired = await findRetiredLedger(queries);
  if (!retired) return false;
  // Another process may be at the same ledger: nothing is taken for empty that somebody else is just deleting.
  await lockOrganization(queries, retired.organizationId);
  await clearLedger(queries, { ...retired, rows: rowsPerTransaction });
  return true;
}
