// Removes a campaign with everything that belongs to it.

import { saveCampaignRevisions } from "../../storage/campaigns/campaign-revisions.ts";
import { deleteCampaign, findCampaigns } from "../../storage/campaigns/campaigns.ts";
import { deleteRenderedRecords } from "../../storage/campaigns/rendered-records.ts";
import { referencesOf } from "../../storage/campaigns/stored-campaign.ts";
import type { Queries } from "../../storage/database.ts";
import { deleteQuarantined } from "../../storage/quarantine/delete-quarantined.ts";
import { retireLedger } from "../../storage/retired-ledgers.ts";
import { raiseRevisions } from "../../storage/revisions.ts";

/** @returns whether the campaign existed */
export async function removeCampaign(
  queries: Queries,
  organizationId: number,
  id: number,
  now: number,
): Promise<boolean> {
  const [known] = await findCampaigns(queries, organizationId, [id]);
  if (!known) return false;
  await deleteCampaign(queries, organizationId, id);
  await deleteRenderedRecords(queries, organizationId, [known.campaign]);
  const ledgerId = known.counting?.ledgerId ?? null;
  if (ledgerId !== null) await retireLedger(queries, organizationId, ledgerId);
  // Events of a reported campaign stay quarantined: they count if the campaign is registered later.
  if (known.counting) await deleteQuarantined(queries, organizationId, { campaigns: referencesOf(known) });
  await raiseRevisions(queries, organizationId, { campaignId: id }, now);
  await saveCampaignRevisions(queries, organizationId, [{ id, sentAt: null }]);
  return true;
}
