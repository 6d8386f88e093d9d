// The table `audience_groups`: the attributes of an organization, and their values.

import type { Queries } from "../queries/database.ts";
import { isAnyOf } from "../queries/dialect-differences.ts";
import { nextId } from "../queries/ids.ts";
import { updateRows } from "../queries/rows.ts";

/** An attribute, or one of its values. */
export interface AudienceGroup {
  id: number;
  /** Its own id for an attribute, whose group are the recipients without a value. */
  attributeId: number;
  /** Of the attribute, or the value. */
  name: string;
}

/** All of them, by id. */
export async function listGroups(queries: Queries, organizationId: number): Promise<AudienceGroup[]> {
  return queries
    .selectFrom("audience_groups")
    .select(["id", "attribute_id as attributeId", "name"])
    .where("organization_id", "=", organizationId)
    .orderBy("id")
    .execute();
}

/** The attributes, in the order in which they were added. */
export async function listAttributes(queries: Queries, organizationId: number): Promise<AudienceGroup[]> {
  return queries
    .selectFrom("audience_groups")
    .select(["id", "attribute_id as attributeId", "name"])
    .where("organization_id", "=", organizationId)
    .whereRef("id", "=", "attribute_id")
    .orderBy("id")
    .execute();
}

/** @param attributeId undefined adds an attribute */
export async function addGroup(
  queries: Queries,
  organizationId: number,
  { attributeId, name }: { attributeId: number | undefined; name: string },
): Promise<AudienceGroup> {
  const id = await nextId(queries, "audience_groups");
  const group = { id, attributeId: attributeId ?? id, name };
  await queries
    .insertInto("audience_groups")
    .values({ organization_id: organizationId, id, attribute_id: group.attributeId, name })
    .execute();
  return group;
}

/** Renames an attribute or a value. */
export async function renameGroup(
  queries: Queries,
  organizationId: number,
  { id, name }: { id: number; name: string },
): Promise<void> {
  await updateRows(queries, "audience_groups", { organization_id: organizationId, id }, { name });
}

/** Deletes those values of these that no campaign counts by, and no reader sees. */
export async function deleteUnusedGroups(
  queries: Queries,
  organizationId: number,
  ids: readonly number[],
): Promise<void> {
  await queries
    .deleteFrom("audience_groups")
    .where("organization_id", "=", organizationId)
    .where(isAnyOf(queries, "id", "integer", ids))
    .where("id", "not in", (used) =>
      used.selectFrom("campaign_groups").select("group_id").where("organization_id", "=", organizationId),
    )
    .where("id", "not in", (seen) =>
      seen.selectFrom("released_groups").select("group_id").where("organization_id", "=", organizationId),
    )
    .execute();
}
