// The table `tags`: the labels of an organization's campaigns.

import { compareTags, type Tag } from "../../campaign/campaign.ts";
import { nextId } from "../queries/ids.ts";
import { upsertInto } from "../queries/insert-rows.ts";
import type { Scope } from "../queries/scope.ts";

export async function addTag(scope: Scope, { name, color }: { name: string; color: string }): Promise<Tag> {
  const id = await nextId(scope.queries, "tags");
  await scope.insert("tags", { id, name, color }).execute();
  return { id, name, color };
}

/** All tags, by name, then id. */
export async function listTags(scope: Scope): Promise<Tag[]> {
  const tags = await scope.from("tags").select(["id", "name", "color"]).execute();
  return tags.sort(compareTags);
}

/** All tags, by id. */
export async function findTagsById(scope: Scope): Promise<Map<number, Tag>> {
  return new Map((await listTags(scope)).map((tag) => [tag.id, tag]));
}

/** All tags by name, and by those names that they had before and no tag has now. */
export async function findTagsBySaidName(scope: Scope): Promise<Map<string, Tag>> {
  const tags = await findTagsById(scope);
  const former = await scope.from("former_tag_names").select(["name", "tag_id"]).execute();
  const renamed = former.flatMap(({ name, tag_id }): [string, Tag][] => {
    const tag = tags.get(tag_id);
    return tag ? [[name, tag]] : [];
  });
  return new Map([...renamed, ...Array.from(tags.values(), (tag): [string, Tag] => [tag.name, tag])]);
}

/** Which of these ids no tag has. A later tag could get one of them. */
export async function findUnknownTags(scope: Scope, ids: readonly number[]): Promise<number[]> {
  const known = await findTagsById(scope);
  return ids.filter((id) => !known.has(id));
}

export async function findTag(scope: Scope, id: number): Promise<Tag | undefined> {
  return scope.from("tags").select(["id", "name", "color"]).where("id", "=", id).executeTakeFirst();
}

const saveFormerNames = upsertInto("former_tag_names");

/** Saves a new name or color. `counting/campaigns/change-tag.ts` publishes the campaigns that have the tag. */
export async function saveTag(
  scope: Scope,
  { id, name }: Tag,
  change: Partial<Omit<Tag, "id">>,
): Promise<void> {
  await scope.updateRows("tags", { id }, change);
  if (change.name !== undefined) await saveFormerNames(scope, [{ name, tag_id: id }]);
}

/** Deletes a tag and removes it from every campaign. Returns whether it existed. */
export async function deleteTag(scope: Scope, id: number): Promise<boolean> {
  // PostgreSQL has no foreign key that deletes these rows.
  await scope.deleteRows("campaign_tags", { tag_id: id });
  await scope.deleteRows("rules", { tag_id: id });
  return (await scope.deleteRows("tags", { id })) > 0;
}
