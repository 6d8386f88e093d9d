// Closes campaigns: their numbers become final, and what they were counted from is deleted.

import { proofsOf, type Tallies } from "../../campaign/events/tally.ts";
import { AppError } from "../../errors.ts";
import { closeCampaignGroups } from "../../storage/audience/campaign-groups.ts";
import { findRecipientLists } from "../../storage/audience/recipient-lists.ts";
import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import { findCampaignsToClose } from "../../storage/campaigns/campaigns-to-close.ts";
import { referencesOf } from "../../storage/campaigns/stored-campaign.ts";
import { retireLedger } from "../../storage/ledgers/retired-ledgers.ts";
import { lockOrganization, type Organization } from "../../storage/organizations/organizations.ts";
import { deleteQuarantined } from "../../storage/quarantine/delete-quarantined.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { saveClosedCampaign } from "../../storage/sums/tallies.ts";
import { releaseCampaignGroups } from "../campaign-groups.ts";
import { publishSaved } from "../publish.ts";

/** Keeps transactions so short that other writers wait about ten milliseconds. */
const campaignsPerTransaction = 50;

/**
 * Closes a counted campaign. From the commit on its numbers are final, and without its secret its hashes reveal nothing.
 * The upkeep deletes its ledger later.
 *
 * @throws AppError `not_found` if there is no such campaign, `conflict` if it was imported or is already closed
 */
export async function closeCampaign(
  scope: Scope,
  organization: Organization,
  id: number,
  now: number,
): Promise<void> {
  const { id: organizationId, countedTraffic } = organization;
  const [known] = await findCampaigns(scope, [id]);
  if (!known) throw new AppError("not_found", `organization ${organizationId} has no campaign ${id}`);
  if (!known.counting) {
    throw new AppError(
      "conflict",
      `campaign ${id} cannot be closed: its numbers were imported; imported numbers are already final`,
    );
  }
  const { ledgerId } = known.counting;
  if (ledgerId === null) throw new AppError("conflict", `campaign ${id} is already closed`);
  if ((await findRecipientLists(scope, [id])).length > 0)
    throw new AppError("conflict", `the list of campaign ${id} is being saved; close it in a moment`);
  // The organization may later change which traffic it counts. Final numbers must not change with that setting.
  const { tallies: counted } = known.numbers as { tallies: Tallies };
  // The errors of the filter are known for human traffic only.
  const final = { ...counted[countedTraffic], ...proofsOf(counted.people) };
  const tallies = { people: final, all: final };
  await saveClosedCampaign(scope, { id, tallies, closedAt: now });
  await closeCampaignGroups(scope, id, countedTraffic);
  const closed = {
    ...known,
    numbers: { tallies },
    counting: { ...known.counting, ledgerId: null, closedAt: now },
  };
  // Passes the campaign with its ledger, which tells which groups reveal others.
  await releaseCampaignGroups(scope, organization, [known], { now, isDue: true });
  await publishSaved(scope, organization, [closed], now);
  await retireLedger(scope, ledgerId);
  // Quarantined events of a closed campaign can never be counted.
  await deleteQuarantined(scope, { campaigns: referencesOf(known) });
}

/**
 * Closes some campaigns of an organization whose counting period is over.
 *
 * @returns whether there may be more
 */
export async function closeDueCampaigns(scope: Scope, now: number): Promise<boolean> {
  const organization = await lockOrganization(scope);
  if (!organization) return false;
  const due = await findCampaignsToClose(scope, { now, limit: campaignsPerTransaction });
  for (const id of due) await closeCampaign(scope, organization, id, now);
  return due.length === campaignsPerTransaction;
}
