// Removes a campaign with everything that belongs to it.

import { deleteCampaign, findCampaigns, namesOf } from "../../storage/campaigns/campaigns.ts";
import { raiseTimelineRevision } from "../../storage/campaigns/timeline-changes.ts";
import type { Queries } from "../../storage/database.ts";
import { retireLedger } from "../../storage/ledgers.ts";
import { deleteQuarantined } from "../../storage/quarantine.ts";

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
  const ledgerId = known.counting?.ledgerId ?? null;
  if (ledgerId !== null) await retireLedger(queries, organizationId, ledgerId);
  // Events of a reported campaign stay quarantined: they count if the campaign is registered later.
  if (known.counting) await deleteQuarantined(queries, organizationId, { campaigns: namesOf(known) });
  await raiseTimelineRevision(queries, organizationId, now, { campaignId: id });
  return true;
}
