// The table `released_groups`: the copy of what campaigns count by group that readers see.

import { type CopiedGroup, restId } from "../../campaign/audience/copy-groups.ts";
import { type PackedGroup, packGroup, unpackGroup } from "../../campaign/audience/group-sums.ts";
import type { ReleasedGroup } from "../../campaign/feed/group-row.ts";
import { insertRows } from "../queries/insert-rows.ts";
import type { Scope } from "../queries/scope.ts";
import { kindsOf } from "../tables/tables.ts";
import { listGroups } from "./store-groups.ts";

type CopyOfCampaign = CopiedGroup & { campaignId: number };

/** The copies of campaigns, by campaign, attribute and group. */
export async function findCopies(scope: Scope, campaignIds: readonly number[]): Promise<CopyOfCampaign[]> {
  const rows = await scope
    .selectRows("released_groups", { campaign_id: campaignIds })
    .orderBy("campaign_id")
    .orderBy("attribute_id")
    .execute();
  return rows.flatMap(({ campaign_id, attribute_id, counted_at, groups }) =>
    (JSON.parse(groups) as PackedGroup[]).map((group) => ({
      campaignId: campaign_id,
      attributeId: attribute_id,
      countedAt: counted_at,
      ...unpackGroup(group),
    })),
  );
}

/** Replaces the copies of campaigns. */
export async function replaceCopies(
  scope: Scope,
  copies: ReadonlyMap<number, readonly CopiedGroup[]>,
): Promise<void> {
  if (copies.size === 0) return;
  await scope.deleteRows("released_groups", { campaign_id: [...copies.keys()] });
  const rows = [...copies].flatMap(([campaignId, copy]) =>
    [...Map.groupBy(copy, ({ attributeId }) => attributeId)].map(([attributeId, groups]) => [
      ...[campaignId, attributeId, groups[0]?.countedAt ?? 0],
      JSON.stringify(groups.toSorted((a, b) => a.groupId - b.groupId).map(packGroup)),
    ]),
  );
  const kinds = kindsOf("released_groups", ["campaign_id", "attribute_id", "counted_at", "groups"]);
  await insertRows(scope, { into: "released_groups", kinds, rows });
}

/** The groups of campaigns that readers see, with their names. */
export async function findReleasedGroups(
  scope: Scope,
  campaignIds: readonly number[],
): Promise<ReleasedGroup[]> {
  const names = new Map((await listGroups(scope)).map(({ id, name }) => [id, name]));
  const campaigns = await scope
    .from("campaigns", { id: campaignIds })
    .select("id")
    .where("listed", "is not", null)
    .execute();
  const listed = new Set(campaigns.map(({ id }) => id));
  return (await findCopies(scope, campaignIds)).flatMap((copy) => {
    const { campaignId, attributeId, groupId } = copy;
    const [attribute, value] = [names.get(attributeId), names.get(groupId)];
    if (groupId === restId || attribute === undefined || value === undefined) return [];
    return {
      ...copy,
      attribute,
      value: groupId === attributeId ? "" : value,
      isListed: listed.has(campaignId),
    };
  });
}
