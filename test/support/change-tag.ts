// Changes and deletes tags of an organization that is known by its id.

import type { Tag } from "../../src/campaign/campaign.ts";
import * as tags from "../../src/counting/campaigns/change-tag.ts";
import { findOrganization, type Organization } from "../../src/storage/organizations/organizations.ts";
import type { Queries } from "../../src/storage/queries/database.ts";

const organizationOf = async (queries: Queries, id: number) =>
  (await findOrganization(queries, id)) as Organization;

export async function changeTag(
  queries: Queries,
  {
    organizationId,
    ...change
  }: { organizationId: number; id: number; change: Partial<Omit<Tag, "id">>; now: number },
): Promise<void> {
  await tags.changeTag(queries, await organizationOf(queries, organizationId), change);
}

export async function deleteTag(
  queries: Queries,
  { organizationId, id, now }: { organizationId: number; id: number; now: number },
): Promise<boolean> {
  return tags.removeTag(queries, await organizationOf(queries, organizationId), id, now);
}
