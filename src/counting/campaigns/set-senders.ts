// Sets who may send events of a campaign: for operators, when the secret of its sender was replaced in the web application.

import { AppError } from "../../errors.ts";
import { findCampaigns, saveCampaigns } from "../../storage/campaigns/campaigns.ts";
import { referencesOf } from "../../storage/campaigns/stored-campaign.ts";
import type { Queries } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import { replayQuarantined } from "../events/replay.ts";
import { checkSenders } from "./senders-after.ts";

/**
 * Replaces the senders, and counts those of their events that wait in quarantine. Readers see nothing of it.
 *
 * @throws AppError `not_found` if there is no such campaign; `bad_request` if a sender is unknown
 */
export async function setSenders(
  queries: Queries,
  organization: Organization,
  { id, senders, now }: { id: number; senders: readonly number[]; now: number },
): Promise<{ accepted: number }> {
  const [stored] = await findCampaigns(queries, organization.id, [id]);
  if (!stored?.counting) {
    throw new AppError("not_found", `organization ${organization.id} counts no campaign ${id}`);
  }
  await checkSenders(queries, organization.id, senders);
  const before = stored.counting.senders;
  const counting = {
    ...stored.counting,
    senders: Object.fromEntries(senders.map((sender) => [sender, before[sender] ?? ""])),
  };
  await saveCampaigns(queries, organization.id, [{ ...stored, counting }]);
  return replayQuarantined(queries, organization, { campaigns: referencesOf(stored) }, now);
}
