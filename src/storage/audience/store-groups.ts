// The table `audience_groups`: the attributes of an organization, and their values.

import { sql } from "kysely";
import { nextId } from "../queries/ids.ts";
import type { Scope } from "../queries/scope.ts";

/** An attribute, or one of its values. */
export interface AudienceGroup {
  id: number;
  /** The id of the attribute; an attribute has its own here. Its group has the recipients without a value. */
  attributeId: number;
  /** The name of the attribute, or the value. */
  name: string;
}

/** Returns all attributes and values by id. */
export async function listGroups(scope: Scope): Promise<AudienceGroup[]> {
  return scope
    .from("audience_groups")
    .select(["id", "attribute_id as attributeId", "name"])
    .orderBy("id")
    .execute();
}

/** The attributes, in the order in which they were added. */
export async function listAttributes(scope: Scope): Promise<AudienceGroup[]> {
  return scope
    .from("audience_groups")
    .select(["id", "attribute_id as attributeId", "name"])
    .whereRef("id", "=", "attribute_id")
    .orderBy("id")
    .execute();
}

/** @param attributeId undefined adds an attribute */
export async function addGroup(
  scope: Scope,
  { attributeId, name }: { attributeId: number | undefined; name: string },
): Promise<AudienceGroup> {
  const id = await nextId(scope.queries, "audience_groups");
  const group = { id, attributeId: attributeId ?? id, name };
  await scope.insert("audience_groups", { id, attribute_id: group.attributeId, name }).execute();
  return group;
}

/** Renames an attribute or a value. */
export async function renameGroup(scope: Scope, { id, name }: { id: number; name: string }): Promise<void> {
  await scope.updateRows("audience_groups", { id }, { name });
}

/** Deletes those values of these that no campaign counts by, and no reader sees. */
export async function deleteUnusedGroups(scope: Scope, ids: readonly number[]): Promise<void> {
  await scope
    .delete("audience_groups", { id: ids })
    .where("id", "not in", (used) =>
      used
        .selectFrom("campaign_groups")
        .select("group_id")
        .where("organization_id", "=", scope.organizationId),
    )
    .where(
      sql<boolean>`not exists (select 1 from released_groups
        where released_groups.organization_id = ${scope.organizationId}
          and released_groups.attribute_id = audience_groups.attribute_id
          and released_groups.groups like '%[' || audience_groups.id || ',%')`,
    )
    .execute();
}
