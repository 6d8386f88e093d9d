// The table `tags`: the labels of an organization. A change of a tag shows in the very next answer.

import { compareTags, type Tag } from "../campaign/campaign.ts";
import { raiseTimelineRevision } from "./campaigns/timeline-changes.ts";
import type { Queries } from "./database.ts";
import { nextId } from "./ids.ts";
import { raiseRenderVersion } from "./organizations.ts";

export async function addTag(
  queries: Queries,
  { organizationId, name, color }: { organizationId: number; name: string; color: string },
): Promise<Tag> {
  const id = await nextId(queries, "tags");
  await queries.insertInto("tags").values({ organization_id: organizationId, id, name, color }).execute();
  return { id, name, color };
}

/** By name, then id. */
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
  by: { id: number } | { name: string },
): Promise<Tag | undefined> {
  const found = queries
    .selectFrom("tags")
    .select(["id", "name", "color"])
    .where("organization_id", "=", organizationId);
  return ("id" in by ? found.where("id", "=", by.id) : found.where("name", "=", by.name)).executeTakeFirst();
}

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
  await raiseRenderVersion(queries, organizationId, now);
}

/** Takes the tag off every campaign. Returns whether there was such a tag. */
export async function deleteTag(
  queries: Queries,
  { organizationId, id, now }: { organizationId: number; id: number; now: number },
): Promise<boolean> {
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
  await raiseTimelineRevision(queries, organizationId, now, { tagId: id });
  await raiseRenderVersion(queries, organizationId, now);
  return true;
}
