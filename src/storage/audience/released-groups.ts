// The table `released_groups`: the copy of what campaigns count by group that readers see.

import { sql } from "kysely";
import { type CopiedGroup, restId } from "../../campaign/audience/copy-groups.ts";
import { groupCountNames, groupCounts } from "../../campaign/audience/group-counts.ts";
import type { ReleasedGroup } from "../../campaign/feed/group-row.ts";
import { isAnyOf } from "../queries/dialect-differences.ts";
import { insertRows } from "../queries/insert-rows.ts";
import { objectsOf } from "../queries/rows.ts";
import type { Scope } from "../queries/scope.ts";
import { kindsOf, type Tables } from "../tables/tables.ts";

const columns = [
  ...["campaign_id", "attribute_id", "group_id", "counted_at"],
  ...groupCountNames.map((name) => groupCounts[name].column),
];

/** The copies of campaigns, by campaign, attribute and group. */
export async function findCopies(
  scope: Scope,
  campaignIds: readonly number[],
): Promise<(CopiedGroup & { campaignId: number })[]> {
  const rows = await scope
    .selectRows("released_groups")
    .where(isAnyOf(scope, "campaign_id", "integer", campaignIds))
    .orderBy("campaign_id")
    .orderBy("attribute_id")
    .orderBy("group_id")
    .execute();
  return rows.map((row) => {
    const { organizationId: _, ...copy } = toObject(row);
    return copy;
  });
}

const toObject = objectsOf("released_groups");

/** Replaces the copies of campaigns. */
export async function replaceCopies(
  scope: Scope,
  copies: ReadonlyMap<number, readonly CopiedGroup[]>,
): Promise<void> {
  if (copies.size === 0) return;
  await scope
    .delete("released_groups")
    .where(isAnyOf(scope, "campaign_id", "integer", [...copies.keys()]))
    .execute();
  const rows = [...copies].flatMap(([campaignId, groups]) =>
    groups.map((group) => [
      ...[campaignId, group.attributeId, group.groupId, group.countedAt],
      ...groupCountNames.map((name) => group[name]),
    ]),
  );
  const kinds = kindsOf("released_groups", columns);
  await insertRows(scope, { into: "released_groups", kinds, rows });
}

/** The groups of campaigns that readers see, with their names. */
export async function findReleasedGroups(
  scope: Scope,
  campaignIds: readonly number[],
): Promise<ReleasedGroup[]> {
  const { rows } = await sql<
    Tables["released_groups"] & { attribute: string; value: string; listed: number | null }
  >`
    select released_groups.*, campaigns.listed as listed, attributes.name as attribute, named.name as value
    from released_groups
    join campaigns on campaigns.organization_id = released_groups.organization_id
      and campaigns.id = released_groups.campaign_id
    join audience_groups as attributes on attributes.organization_id = released_groups.organization_id
      and attributes.id = released_groups.attribute_id
    join audience_groups as named on named.organization_id = released_groups.organization_id
      and named.id = released_groups.group_id
    where released_groups.organization_id = ${scope.organizationId} and released_groups.group_id <> ${sql.lit(restId)}
      and ${isAnyOf(scope, "released_groups.campaign_id", "integer", campaignIds)}`.execute(scope);
  return rows.map((row) => ({
    ...toObject(row),
    attribute: row.attribute,
    value: row.group_id === row.attribute_id ? "" : row.value,
    isListed: row.listed !== null,
  }));
}
