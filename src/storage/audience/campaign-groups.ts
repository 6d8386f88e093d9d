// The table `campaign_groups`: what each campaign counts by group, as it is now.

import { sql } from "kysely";
import { type GroupCounts, groupCountColumns } from "../../campaign/audience/group-counts.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import { snakeCase } from "../../campaign/sums.ts";
import { fromInputOf, inputRows } from "../queries/dialect-differences.ts";
import { objectsOf } from "../queries/rows.ts";
import type { Scope } from "../queries/scope.ts";
import { findCopies, replaceCopies } from "./released-groups.ts";

interface GroupKey {
  campaignId: number;
  groupId: number;
  attributeId: number;
}

export type StoredGroup = GroupKey & GroupCounts;

/**
 * What an event changes: most change opens or clicks alone. SQLite takes half the time for a row with half the counts.
 */
const parts = [
  ["recipients", "peopleOpens", "allOpens", "peopleClicks", "allClicks"],
  [
    "glanced",
    "skimmed",
    "read",
    "enpsReactions",
    "enpsScores",
    "enpsPromoters",
    "enpsDetractors",
    "surveyReactions",
  ],
] as const satisfies (keyof GroupCounts)[][];

/** Adds to what campaigns count by group. */
export async function addToCampaignGroups(scope: Scope, changes: readonly StoredGroup[]): Promise<void> {
  const sorted = changes.toSorted((a, b) => a.campaignId - b.campaignId || a.groupId - b.groupId);
  for (const names of parts) {
    const rows = sorted
      .filter((each) => names.some((name) => each[name] !== 0))
      .map((each) => [each.campaignId, each.groupId, each.attributeId, ...names.map((name) => each[name])]);
    if (rows.length > 0) await addRows(scope, names, rows);
  }
}

async function addRows(
  scope: Scope,
  names: readonly (keyof GroupCounts)[],
  rows: readonly (readonly number[])[],
): Promise<void> {
  const changed = names.map((name) => snakeCase(name));
  const types = Object.fromEntries(
    ["campaign_id", "group_id", "attribute_id", ...changed].map((column) => [column, "integer" as const]),
  );
  const input = inputRows(scope, types, rows);
  const values = groupCountColumns.map((column) => (changed.includes(column) ? `input.${column}` : "0"));
  const sums = changed.map((column) => `${column} = campaign_groups.${column} + excluded.${column}`);
  await sql`
    insert into campaign_groups (organization_id, campaign_id, group_id, attribute_id, ${sql.raw(groupCountColumns.join(", "))})
    select organizations.id, input.campaign_id, input.group_id, input.attribute_id, ${sql.raw(values.join(", "))}
    ${fromInputOf(scope.organizationId, input)}
    on conflict (organization_id, campaign_id, group_id) do update set ${sql.raw(sums.join(", "))}`.execute(
    scope,
  );
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
