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
import type { Queries } from "../../storage/queries/database.ts";
import { publishAgain, publishSaved } from "../publish.ts";

/** @returns whether it exists */
export async function renameAttribute(
  queries: Queries,
  organization: Organization,
  { id, name, now }: { id: number; name: string; now: number },
): Promise<boolean> {
  if (!(await exists(queries, organization.id, id))) return false;
  await renameGroup(queries, organization.id, { id, name });
  const campaigns = await findCampaignsBy(queries, organization.id, id);
  await publishAgain(queries, organization, campaigns, { now });
  return true;
}

const exists = async (queries: Queries, organizationId: number, id: number) =>
  (await listAttributes(queries, organizationId)).some((attribute) => attribute.id === id);

/** Keeps transactions so short that other writers wait some ten milliseconds. */
const directoryRowsPerStep = 10_000;

/** `removed`: this was the last step. `gone`: there is no such attribute. */
export type RemovalStep = "more" | "removed" | "gone";

/**
 * Removes an attribute in steps, each in a transaction of its own: from one campaign after the other with the groups of its
 * recipients, from the directory, and in the last step its name and its values.
 */
export async function removeAttribute(
  queries: Queries,
  organization: Organization,
  { id, now }: { id: number; now: number },
): Promise<RemovalStep> {
  if (!(await exists(queries, organization.id, id))) return "gone";
  const [campaignId] = await findCampaignsBy(queries, organization.id, id);
  if (campaignId !== undefined) {
    await removeFromOne(queries, organization, { campaignId, attributeId: id, now });
    return "more";
  }
  const step = { attributeId: id, limit: directoryRowsPerStep };
  if (await removeFromDirectoryGroups(queries, organization.id, step)) return "more";
  await deleteAttribute(queries, organization.id, id);
  await raiseRevision(queries, organization.id, now);
  return "removed";
}

async function removeFromOne(
  queries: Queries,
  organization: Organization,
  { campaignId, attributeId, now }: { campaignId: number; attributeId: number; now: number },
): Promise<void> {
  for (const stored of await findCampaigns(queries, organization.id, [campaignId])) {
    if (!stored.counting) continue;
    const { ledgerId, attributeIds } = stored.counting;
    const counting = { ...stored.counting, attributeIds: attributeIds.filter((id) => id !== attributeId) };
    const after = { ...stored, counting };
    await saveCampaigns(queries, organization.id, [after]);
    await removeFromCampaign(queries, organization.id, { campaignId, ledgerId, attributeId });
    await publishSaved(queries, organization, [after], { now, isMoved: false });
  }
}
