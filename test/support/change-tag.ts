// Changes and deletes tags of an organization that is known by its id.

import type { Tag } from "../../src/campaign/campaign.ts";
import * as tags from "../../src/counting/campaigns/change-tag.ts";
import type { Queries } from "../../src/storage/queries/queries.ts";
import { Scope } from "../../src/storage/queries/scope.ts";

export async function changeTag(
  queries: Queries,
  {
    organizationId,
    ...change
  }: { organizationId: number; id: number; change: Partial<Omit<Tag, "id">>; now: number },
): Promise<void> {
  await tags.changeTag(new Scope(queries, organizationId), change);
}

export async function removeTag(
  queries: Queries,
  { organizationId, ...options }: { organizationId: number; id: number; now: number },
): Promise<boolean> {
  return tags.removeTag(new Scope(queries, organizationId), { ...options, actor: "test" });
}
