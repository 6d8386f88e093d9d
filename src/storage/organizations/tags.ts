// The table `tags`: the labels of an organization's campaigns.

import { compareTags, type Tag } from "../../campaign/campaign.ts";
import type { Queries } from "../queries/database.ts";
import { nextId } from "../queries/ids.ts";
import { deleteRows, updateRows } from "../queries/rows.ts";

export async function addTag(
  queries: Queries,
  { organizationId, name, color }: { organizationId: number; name: string; color: string },
): Promise<Tag> {
  const id = await nextId(queries, "tags");
  await queries.insertInto("tags").values({ organization_id: organizationId, id, name, color }).execute();
  return { id, name, color };
}

/** All tags, by name, then id. */
export async function listTags(queries: Queries, organizationId: number): Promise<Tag[]> {
  const tags = await queries
    .selectFrom("tags")
    .select(["id", "name", "color"])
    .where("organization_id", "=", organizationId)
    .execute();
  return tags.sort(compareTags);
}

/** Which of these ids no tag has. A later tag could get one of them. */
export async function findUnknownTags(
  queries: Queries,
  organizationId: number,
  ids: readonly number[],
): Promise<number[]> {
  const known = new Set((await listTags(queries, organizationId)).map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
}

export async function findTag(
  queries: Queries,
  organizationId: number,
  id: number,
): Promise<Tag | undefined> {
  return queries
    .selectFrom("tags")
    .select(["id", "name", "color"])
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Saves a new name or color. `counting/campaigns/change-tag.ts` publishes the campaigns that have the tag. */
export async function saveTag(
  queries: Queries,
  organizationId: number,
  id: number,
  change: Partial<Omit<Tag, "id">>,
): Promise<void> {
  await updateRows(queries, "tags", { organization_id: organizationId, id }, change);
}

/** Deletes a tag and removes it from every campaign. Returns whether it existed. */
export async function deleteTag(queries: Queries, organizationId: number, id: number): Promise<boolean> {
  // Not left to the foreign key, which PostgreSQL does not have.
  await deleteRows(queries, "campaign_tags", { organization_id: organizationId, tag_id: id });
  return (await deleteRows(queries, "tags", { organization_id: organizationId, id })) > 0;
}
