// The table `campaign_groups`: what each campaign counts by group, as it is now.

import { sql } from "kysely";
import {
  type GroupCounts,
  groupCountColumns,
  groupCountNames,
} from "../../campaign/audience/group-counts.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import { addingTo, insertRows } from "../queries/insert-rows.ts";
import { objectsOf } from "../queries/rows.ts";
import type { Scope } from "../queries/scope.ts";
import { kindsOf } from "../tables/tables.ts";
import { findCopies, replaceCopies } from "./released-groups.ts";

interface GroupKey {
  campaignId: number;
  groupId: number;
  attributeId: number;
}

export type StoredGroup = GroupKey & GroupCounts;

/** Adds to what campaigns count by group. */
export async function addToCampaignGroups(scope: Scope, changes: readonly StoredGroup[]): Promise<void> {
  const rows = changes
    .filter((each) => groupCountNames.some((name) => each[name] !== 0))
    .sort((a, b) => a.campaignId - b.campaignId || a.groupId - b.groupId)
    .map((each) => [
      ...[each.campaignId, each.groupId, each.attributeId],
      ...groupCountNames.map((name) => each[name]),
    ]);
  const kinds = kindsOf("campaign_groups", ["campaign_id", "group_id", "attribute_id", ...groupCountColumns]);
  const adding = addingTo("campaign_groups", groupCountColumns);
  await insertRows(scope, { into: "campaign_groups", kinds, rows }, adding);
}

/** The groups of campaigns, by campaign and group. */
export async function findCampaignGroups(
  scope: Scope,
  campaignIds: readonly number[],
): Promise<StoredGroup[]> {
  const rows = await scope
    .selectRows("campaign_groups", { campaign_id: campaignIds })
    .orderBy("campaign_id")
    .orderBy("group_id")
    .execute();
  return rows.map((row) => {
    const { organizationId: _, ...group } = toObject(row);
    return group;
  });
}

const toObject = objectsOf("campaign_groups");

/** Deletes what a campaign counts by group. */
export async function deleteCampaignGroups(scope: Scope, campaignId: number): Promise<void> {
  await scope.deleteRows("campaign_groups", { campaign_id: campaignId });
}

/** Deletes the groups that no recipient of a campaign is in any more. */
export async function deleteEmptyCampaignGroups(scope: Scope, campaignId: number): Promise<void> {
  await scope.deleteRows("campaign_groups", { campaign_id: campaignId, recipients: 0 });
}

/** Makes the numbers of one traffic those of both, also in the copy for readers, as in a closed campaign. */
export async function closeCampaignGroups(
  scope: Scope,
  campaignId: number,
  traffic: TrafficFilter,
): Promise<void> {
  const [from, to] = traffic === "people" ? (["people", "all"] as const) : (["all", "people"] as const);
  await scope
    .update("campaign_groups")
    .set({
      [`${to}_opens`]: sql.ref(`${from}_opens`),
      [`${to}_clicks`]: sql.ref(`${from}_clicks`),
    })
    .where("campaign_id", "=", campaignId)
    .execute();
  const copy = (await findCopies(scope, [campaignId])).map((group) => ({
    ...group,
    [`${to}Opens`]: group[`${from}Opens`],
    [`${to}Clicks`]: group[`${from}Clicks`],
  }));
  await replaceCopies(scope, new Map([[campaignId, copy]]));
}
