// The table `tags`: the labels of an organization's campaigns.

import { compareTags, type Tag } from "../campaign/campaign.ts";
import type { Queries } from "./database.ts";
import { nextId } from "./ids.ts";
import { raiseRevisions } from "./revisions.ts";

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

/**
 * Renames or recolors a tag. Raises the render version, so every cached response is stale and every rendered record is
 * outdated: the next response shows the change.
 */
export async function changeTag(
  queries: Queries,
  {
    organizationId,
    id,
    change,
    now,
  }: { organizationId: number; id: number; change: Partial<Omit<Tag, "id">>; now: number },
): Promise<void> {
  await queries
    .updateTable("tags")
    .set(change)
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .execute();
  await raiseRevisions(queries, organizationId, "allRecords", now);
}

/** Deletes a tag and removes it from every campaign. Returns whether it existed. */
export async function deleteTag(
  queries: Queries,
  { organizationId, id, now }: { organizationId: number; id: number; now: number },
): Promise<boolean> {
  // Not left to the foreign key, which PostgreSQL does not have.
  await queries
    .deleteFrom("campaign_tags")
    .where("organization_id", "=", organizationId)
    .where("tag_id", "=", id)
    .execute();
  const { numDeletedRows } = await queries
    .deleteFrom("tags")
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .executeTakeFirst();
  if (numDeletedRows === 0n) return false;
  await raiseRevisions(queries, organizationId, { tagId: id }, now);
  return true;
}
