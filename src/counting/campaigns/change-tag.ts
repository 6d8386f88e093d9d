// Changes and deletes tags. The campaigns that have the tag are published again in the same transaction.

import type { Tag } from "../../campaign/campaign.ts";
import { findCampaignIds } from "../../storage/campaigns/campaigns.ts";
import type { Queries } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import { deleteTag, saveTag } from "../../storage/tags.ts";
import { publishAgain } from "../publish.ts";

/** Renames or recolors a tag. */
export async function changeTag(
  queries: Queries,
  organization: Organization,
  { id, change, now }: { id: number; change: Partial<Omit<Tag, "id">>; now: number },
): Promise<void> {
  await saveTag(queries, organization.id, id, change);
  const ids = await findCampaignIds(queries, organization.id, { tagId: id });
  await publishAgain(queries, organization, ids, { now });
}

/** Deletes a tag, also from its campaigns. @returns whether it existed */
export async function removeTag(
  queries: Queries,
  organization: Organization,
  id: number,
  now: number,
): Promise<boolean> {
  const ids = await findCampaignIds(queries, organization.id, { tagId: id });
  if (!(await deleteTag(queries, organization.id, id))) return false;
  await publishAgain(queries, organization, ids, { now, isMoved: true });
  return true;
}
