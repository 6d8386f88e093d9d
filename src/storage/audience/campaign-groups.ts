// The table `campaign_groups`: what each campaign counts by group.

import { sql } from "kysely";
import { type GroupCounts, groupCountNames } from "../../campaign/audience/group-counts.ts";
import type { GroupRelease } from "../../campaign/audience/release-groups.ts";
import type { TrafficFilter } from "../../campaign/events/traffic.ts";
import type { ReleasedGroup } from "../../campaign/feed/group-row.ts";
import type { Queries } from "../database.ts";
import { fromInputOf, inputRows, inputRowsForUpdate, isAnyOf } from "../dialect-differences.ts";
import type { CampaignGroupsTable } from "../tables.ts";

interface GroupKey {
  campaignId: number;
  groupId: number;
  attributeId: number;
}

export type StoredGroup = GroupKey & GroupCounts;

type DecidedGroup = StoredGroup & GroupRelease;

const groupColumns = {
  recipients: "recipients",
  peopleOpens: "people_opens",
  allOpens: "all_opens",
  peopleClicks: "people_clicks",
  allClicks: "all_clicks",
  glanced: "glanced",
  skimmed: "skimmed",
  read: "read",
  enpsReactions: "enps_reactions",
  enpsScores: "enps_scores",
  enpsPromoters: "enps_promoters",
  enpsDetractors: "enps_detractors",
  surveyReactions: "survey_reactions",
} as const satisfies Record<keyof GroupCounts, keyof CampaignGroupsTable>;

const columns = groupCountNames.map((name) => groupColumns[name]);
const list = (of: (column: string) => string) => sql.raw(columns.map(of).join(", "));

/** Adds to what campaigns count by group. A new group is not released. */
export async function addToCampaignGroups(
  queries: Queries,
  organizationId: number,
  changes: readonly StoredGroup[],
): Promise<void> {
  if (changes.length === 0) return;
  const rows = changes
    .toSorted((a, b) => a.campaignId - b.campaignId || a.groupId - b.groupId)
    .map((each) => [
      each.campaignId,
      each.groupId,
      each.attributeId,
      ...groupCountNames.map((name) => each[name]),
    ]);
  const types = Object.fromEntries(
    ["campaign_id", "group_id", "attribute_id", ...columns].map((column) => [column, "integer" as const]),
  );
  const input = inputRows(queries, types, rows);
  await sql`
    insert into campaign_groups (organization_id, campaign_id, group_id, attribute_id, ${list((each) => each)},
      is_released, are_ratings_released)
    select organizations.id, input.campaign_id, input.group_id, input.attribute_id,
      ${list((each) => `input.${each}`)}, 0, 0
    ${fromInputOf(organizationId, input)}
    on conflict (organization_id, campaign_id, group_id) do update set
      ${list((each) => `${each} = campaign_groups.${each} + excluded.${each}`)}`.execute(queries);
}

/** The groups of campaigns, by campaign and group. */
export async function findCampaignGroups(
  queries: Queries,
  organizationId: number,
  campaignIds: readonly number[],
): Promise<DecidedGroup[]> {
  const rows = await queries
    .selectFrom("campaign_groups")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where(isAnyOf(queries, "campaign_id", "integer", campaignIds))
    .orderBy("campaign_id")
    .orderBy("group_id")
    .execute();
  return rows.map((row) => ({
    campaignId: row.campaign_id,
    groupId: row.group_id,
    attributeId: row.attribute_id,
    ...countsOf(row),
    isReleased: row.is_released === 1,
    areRatingsReleased: row.are_ratings_released === 1,
  }));
}

function countsOf(row: CampaignGroupsTable): GroupCounts {
  const counts = groupCountNames.map((name) => [name, row[groupColumns[name]]]);
  return Object.fromEntries(counts) as unknown as GroupCounts;
}

/** The groups of campaigns that readers see, with their names. */
export async function findReleasedGroups(
  queries: Queries,
  organizationId: number,
  campaignIds: readonly number[],
): Promise<ReleasedGroup[]> {
  const { rows } = await sql<
    CampaignGroupsTable & { attribute: string; value: string; listed: number | null }
  >`
    select campaign_groups.*, campaigns.listed as listed, attributes.name as attribute, named.name as value
    from campaign_groups
    join campaigns on campaigns.organization_id = campaign_groups.organization_id
      and campaigns.id = campaign_groups.campaign_id
    join audience_groups as attributes on attributes.organization_id = campaign_groups.organization_id
      and attributes.id = campaign_groups.attribute_id
    join audience_groups as named on named.organization_id = campaign_groups.organization_id
      and named.id = campaign_groups.group_id
    where campaign_groups.organization_id = ${organizationId} and is_released = 1
      and ${isAnyOf(queries, "campaign_groups.campaign_id", "integer", campaignIds)}`.execute(queries);
  return rows.map((row) => ({
    campaignId: row.campaign_id,
    attribute: row.attribute,
    value: row.group_id === row.attribute_id ? "" : row.value,
    isListed: row.listed !== null,
    ...countsOf(row),
    areRatingsReleased: row.are_ratings_released === 1,
  }));
}

export async function saveReleases(
  queries: Queries,
  organizationId: number,
  releases: readonly (Pick<GroupKey, "campaignId" | "groupId"> & GroupRelease)[],
): Promise<void> {
  if (releases.length === 0) return;
  const rows = releases.map(({ campaignId, groupId, isReleased, areRatingsReleased }) => [
    ...[campaignId, groupId, Number(isReleased), Number(areRatingsReleased)],
  ]);
  const types = {
    campaign_id: "integer",
    group_id: "integer",
    is_released: "integer",
    are_ratings_released: "integer",
  } as const;
  const input = inputRowsForUpdate(queries, types, rows);
  await sql`
    update campaign_groups
    set is_released = input.is_released, are_ratings_released = input.are_ratings_released
    from ${input} where campaign_groups.organization_id = ${organizationId}
      and campaign_groups.campaign_id = input.campaign_id and campaign_groups.group_id = input.group_id`.execute(
    queries,
  );
}

/** Deletes what a campaign counts by group, and what its groups share. */
export async function deleteCampaignGroups(
  queries: Queries,
  organizationId: number,
  campaignId: number,
): Promise<void> {
  for (const table of ["campaign_groups", "campaign_overlaps"] as const) {
    await queries
      .deleteFrom(table)
      .where("organization_id", "=", organizationId)
      .where("campaign_id", "=", campaignId)
      .execute();
  }
}

/** Makes the numbers of one traffic those of both, as in the tallies of a closed campaign. */
export async function closeCampaignGroups(
  queries: Queries,
  organizationId: number,
  campaignId: number,
  traffic: TrafficFilter,
): Promise<void> {
  const [from, to] = traffic === "people" ? ["people", "all"] : ["all", "people"];
  await queries
    .updateTable("campaign_groups")
    .set({
      [`${to}_opens`]: sql.ref(`${from}_opens`),
      [`${to}_clicks`]: sql.ref(`${from}_clicks`),
    })
    .where("organization_id", "=", organizationId)
    .where("campaign_id", "=", campaignId)
    .execute();
}
