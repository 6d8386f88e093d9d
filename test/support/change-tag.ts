// Changes and deletes tags of an organization that is known by its id.

import type { Tag } from "../../src/campaign/campaign.ts";
import * as tags from "../../src/counting/campaigns/change-tag.ts";
import { findOrganization, type Organization } from "../../src/storage/organizations/organizations.ts";
import type { Queries } from "../../src/storage/queries/queries.ts";
import { Scope } from "../../src/storage/queries/scope.ts";

const organizationOf = async (queries: Queries, id: number) =>
  (await findOrganization(new Scope(queries, id))) as Organization;

export async function changeTag(
  queries: Queries,
  {
    organizationId,
    ...change
  }: { organizationId: number; id: number; change: Partial<Omit<Tag, "id">>; now: number },
): Promise<void> {
  await tags.changeTag(
    new Scope(queries, organizationId),
    await organizationOf(queries, organizationId),
    change,
  );
}

export async function removeTag(
  queries: Queries,
  { organizationId, id, now }: { organizationId: number; id: number; now: number },
): Promise<boolean> {
  return tags.removeTag(
    new Scope(queries, organizationId),
    await organizationOf(queries, organizationId),
    id,
    now,
  );
}
