// Renames and removes attributes. The campaigns that are counted by them are published again.

import {
  deleteAttribute,
  findCampaignsBy,
  removeFromCampaign,
  removeFromDirectoryGroups,
} from "../../storage/audience/remove-attribute.ts";
import { listAttributes, renameGroup } from "../../storage/audience/store-groups.ts";
import { findCampaigns, saveCampaigns } from "../../storage/campaigns/campaigns.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import { raiseRevision } from "../../storage/organizations/revisions.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { publishSaved, republish } from "../publish.ts";

/** @returns whether it exists */
export async function renameAttribute(
  scope: Scope,
  { id, name, now }: { id: number; name: string; now: number },
): Promise<boolean> {
  if (!(await exists(scope, id))) return false;
  await renameGroup(scope, { id, name });
  await republish(scope, await findCampaignsBy(scope, id), { now });
  return true;
}

const exists = async (scope: Scope, id: number) =>
  (await listAttributes(scope)).some((attribute) => attribute.id === id);

/** Keeps transactions so short that other writers wait some ten milliseconds. */
const directoryRowsPerStep = 10_000;

/** `removed`: this was the last step. `gone`: there is no such attribute. */
export type RemovalStep = "more" | "removed" | "gone";

/**
 * Removes an attribute in steps, each in a transaction of its own: from one campaign after the other with the groups of its
 * recipients, from the directory, and in the last step its name and its values.
 */
export async function removeAttribute(
  scope: Scope,
  organization: Organization,
  { id, now }: { id: number; now: number },
): Promise<RemovalStep> {
  if (!(await exists(scope, id))) return "gone";
  const [campaignId] = await findCampaignsBy(scope, id);
  if (campaignId !== undefined) {
    await removeFromOne(scope, organization, { campaignId, attributeId: id, now });
    return "more";
  }
  const step = { attributeId: id, limit: directoryRowsPerStep };
  if (await removeFromDirectoryGroups(scope, step)) return "more";
  await deleteAttribute(scope, id);
  await raiseRevision(scope, now);
  return "removed";
}

async function removeFromOne(
  scope: Scope,
  organization: Organization,
  { campaignId, attributeId, now }: { campaignId: number; attributeId: number; now: number },
): Promise<void> {
  for (const stored of await findCampaigns(scope, [campaignId])) {
    if (!stored.counting) continue;
    const { ledgerId, attributeIds } = stored.counting;
    const counting = { ...stored.counting, attributeIds: attributeIds.filter((id) => id !== attributeId) };
    const after = { ...stored, counting };
    await saveCampaigns(scope, [after]);
    await removeFromCampaign(scope, { campaignId, ledgerId, attributeId });
    await publishSaved(scope, organization, [after], now);
  }
}
