// Removes a campaign with everything that belongs to it.

import type { Campaign } from "../../campaign/campaign.ts";
import { hasNames } from "../../campaign/release-answers.ts";
import { deleteRecipientList, findRecipientLists } from "../../storage/audience/recipient-lists.ts";
import { deleteCampaigns, findCampaigns } from "../../storage/campaigns/campaigns.ts";
import { saveWithdrawals } from "../../storage/campaigns/changes.ts";
import { addNamelessReferences } from "../../storage/campaigns/nameless-references.ts";
import { referencesOf } from "../../storage/campaigns/stored-campaign.ts";
import { retireLedger } from "../../storage/ledgers/retired-ledgers.ts";
import { raiseRevision } from "../../storage/organizations/revisions.ts";
import { deleteQuarantined } from "../../storage/quarantine/delete-quarantined.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { deletePublished } from "../publish.ts";
import { requireSender } from "./check-campaign-change.ts";

/** @returns whether the campaign existed. @throws AppError `forbidden` as {@link requireSender} */
export async function removeCampaign(
  scope: Scope,
  id: number,
  now: number,
  sender?: number,
): Promise<boolean> {
  const [known] = await findCampaigns(scope, [id]);
  if (!known) return false;
  requireSender(known, sender);
  const ledgerId = known.counting?.ledgerId ?? null;
  if (ledgerId !== null) await retireLedger(scope, ledgerId);
  for (const list of await findRecipientLists(scope, [id])) await deleteRecipientList(scope, list);
  // Events of a reported campaign stay quarantined: they count if the campaign is registered later.
  if (known.counting && !hasNames(known.campaign)) await addNamelessReferences(scope, referencesOf(known));
  if (known.counting) await deleteQuarantined(scope, { campaigns: referencesOf(known) });
  await removeReportedCampaigns(scope, [known.campaign], now);
  return true;
}

/** Removes campaigns that were imported, whose quarantined events stay. */
export async function removeReportedCampaigns(
  scope: Scope,
  campaigns: readonly Campaign[],
  now: number,
): Promise<void> {
  if (campaigns.length === 0) return;
  const ids = campaigns.map(({ id }) => id);
  await deleteCampaigns(scope, ids);
  await deletePublished(scope, campaigns);
  await raiseRevision(scope, now);
  await saveWithdrawals(scope, ids);
}
