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

/**
 * All tags by name.
 *
 * @param isSaid whether a file or a sender names them, which may say a name that a tag had before and no tag has now
 */
export async function findTagsByName(scope: Scope, isSaid: boolean): Promise<Map<string, Tag>> {
  const tags = await findTagsById(scope);
  const former = isSaid ? await scope.from("former_tag_names").select(["name", "tag_id"]).execute() : [];
  const byName = new Map(former.map(({ name, tag_id }) => [name, tags.get(tag_id) as Tag]));
  for (const tag of tags.values()) byName.set(tag.name, tag);
  return byName;
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

/** Saves a new name or color, and the name from before a rename. `counting/campaigns/change-tag.ts` publishes the campaigns that have the tag. */
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
