// What the groups of an attribute count over several campaigns. Only released groups are added.

import { type RawBuilder, sql } from "kysely";
import { activitySums } from "../../campaign/audience/group-sums.ts";
import { addSpreadSums, type SpreadSums } from "../../campaign/rate-ranges.ts";
import { emptySums } from "../../campaign/sums.ts";
import { summedSpreads, toSpreads } from "../campaigns/sum-queries.ts";
import { type SumsFilter, sumsCondition } from "../campaigns/sums-filter.ts";
import type { Queries } from "../database.ts";

/** The rates of a group that have ranges. */
const ranged = ["openRate", "clickRate"] as const;
const rangedRatings = ["enpsIndex"] as const;

export interface AudienceSums {
  /** By group. */
  groups: Map<number, GroupSums>;
  /** Recipients of campaigns in groups that are not released. */
  withheldRecipients: number;
  /** Campaigns that have the attribute and a list of their recipients, and are not still counting. */
  campaigns: number;
}

export interface GroupSums {
  total: SpreadSums;
  /** Of each period. */
  trend: SpreadSums[];
}

/** Campaigns without a list are left out: how many recipients their groups have is not known. */
export async function findAudienceSums(
  queries: Queries,
  organizationId: number,
  filter: SumsFilter,
  { attributeId, starts }: { attributeId: number; starts: readonly number[] },
): Promise<AudienceSums> {
  const chosen = chosenCampaigns(queries, organizationId, filter, starts);
  const groupsOf = sql`from chosen cross join campaign_groups
    where campaign_groups.organization_id = ${organizationId} and campaign_groups.campaign_id = chosen.id
      and campaign_groups.attribute_id = ${attributeId}`;
  const empty = (): GroupSums => ({
    total: { ...emptySums(), spreads: {} },
    trend: starts.slice(0, -1).map(() => ({ ...emptySums(), spreads: {} })),
  });
  const groups = new Map<number, GroupSums>();
  let withheldRecipients = 0;
  const add = (key: number, period: number, sums: Partial<SpreadSums>) => {
    const group = groups.get(key) ?? empty();
    groups.set(key, group);
    const added = { ...emptySums(), spreads: {}, ...sums };
    addSpreadSums(group.total, added);
    const bucket = group.trend[period];
    if (bucket) addSpreadSums(bucket, added);
  };
  for (const row of await readCounts(queries, filter, { chosen, groupsOf })) {
    if (row.key === null) withheldRecipients += row.recipients;
    else add(Number(row.key), Number(row.period), toCounts(row));
  }
  for (const row of await readRatings(queries, { chosen, groupsOf })) {
    add(Number(row.key), Number(row.period), toRatings(row));
  }
  return { groups, withheldRecipients, campaigns: await countCampaigns(queries, { chosen, groupsOf }) };
}

/** The campaigns that match, each with its period. They are few: computed once, not for each of their groups. */
function chosenCampaigns(
  queries: Queries,
  organizationId: number,
  filter: SumsFilter,
  starts: readonly number[],
): RawBuilder<unknown> {
  const ends = starts
    .slice(1, -1)
    .map((end, period) => sql`when sums.sent_at < ${end} then ${sql.lit(period)}`);
  const last = sql.lit(ends.length);
  const period = ends.length === 0 ? last : sql`case ${sql.join(ends, sql` `)} else ${last} end`;
  return sql`chosen as materialized (
    select sums.campaign_id as id, ${period} as period from sums
    join campaigns on campaigns.organization_id = sums.organization_id and campaigns.id = sums.campaign_id
    where ${sumsCondition(queries, organizationId, filter)}
      and sums.settled_campaigns = 1 and campaigns.listed is not null)`;
}

interface Selection {
  chosen: RawBuilder<unknown>;
  groupsOf: RawBuilder<unknown>;
}

type Row<Name extends string> = { key: number | null; period: number } & Record<Name, number>;

const added = (column: string) =>
  sql`sum(cast(${sql.ref(`sums.${column}`)} as double precision)) as ${sql.ref(column)}`;
const addedAll = (columns: readonly string[]) => sql.join(columns.map(added));

const countColumns = ["recipients", "opens", "clicks", "glanced", "skimmed", "read"] as const;

/** The key of all groups that are not released is null. */
async function readCounts(
  queries: Queries,
  { traffic }: SumsFilter,
  { chosen, groupsOf }: Selection,
): Promise<Row<(typeof countColumns)[number] | "campaigns" | "read_campaigns">[]> {
  // Named as in the table `sums`, so that the spreads are computed by the same SQL.
  const inner = sql`select case when campaign_groups.is_released = 1 then campaign_groups.group_id end as key,
      chosen.period as period, campaign_groups.recipients as recipients,
      campaign_groups.recipients as open_recipients, campaign_groups.recipients as click_recipients,
      campaign_groups.${sql.ref(`${traffic}_opens`)} as opens,
      campaign_groups.${sql.ref(`${traffic}_clicks`)} as clicks,
      campaign_groups.glanced as glanced, campaign_groups.skimmed as skimmed, campaign_groups.read as read
    ${groupsOf}`;
  const { rows } = await sql<Awaited<ReturnType<typeof readCounts>>[number]>`
    with ${chosen} select sums.key as key, sums.period as period, count(*) as campaigns, ${addedAll(countColumns)},
      sum(case when sums.glanced + sums.skimmed + sums.read > 0 then 1 else 0 end) as read_campaigns
      ${summedSpreads(ranged)}
    from (${inner}) as sums group by sums.key, sums.period`.execute(queries);
  return rows;
}

function toCounts(row: Awaited<ReturnType<typeof readCounts>>[number]): SpreadSums {
  const sums = activitySums({
    ...row,
    campaigns: Number(row.campaigns),
    readCampaigns: Number(row.read_campaigns),
  });
  return { ...sums, spreads: toSpreads(row, ranged) };
}

const ratingColumns = ["promoters", "detractors", "indexed"] as const;

/** Few campaigns have ratings, so this reads few groups. */
async function readRatings(
  queries: Queries,
  { chosen, groupsOf }: Selection,
): Promise<Row<(typeof ratingColumns)[number] | "campaigns">[]> {
  const inner = sql`select campaign_groups.group_id as key, chosen.period as period,
      campaign_groups.enps_promoters as promoters, campaign_groups.enps_detractors as detractors,
      campaign_groups.enps_reactions as indexed
    ${groupsOf} and campaign_groups.is_released = 1 and campaign_groups.are_ratings_released = 1
      and campaign_groups.enps_reactions > 0`;
  const { rows } = await sql<Awaited<ReturnType<typeof readRatings>>[number]>`
    with ${chosen} select sums.key as key, sums.period as period, count(*) as campaigns, ${addedAll(ratingColumns)}
      ${summedSpreads(rangedRatings)}
    from (${inner}) as sums group by sums.key, sums.period`.execute(queries);
  return rows;
}

function toRatings(row: Awaited<ReturnType<typeof readRatings>>[number]): Partial<SpreadSums> {
  const { promoters, detractors, indexed } = row;
  const indexedCampaigns = Number(row.campaigns);
  return { promoters, detractors, indexed, indexedCampaigns, spreads: toSpreads(row, rangedRatings) };
}

async function countCampaigns(queries: Queries, { chosen, groupsOf }: Selection): Promise<number> {
  const { rows } = await sql<{ campaigns: number }>`
    with ${chosen} select count(distinct chosen.id) as campaigns ${groupsOf}`.execute(queries);
  return Number(rows[0]?.campaigns ?? 0);
}
