// What the groups of an attribute count over several campaigns. Only released groups are added.

import { type RawBuilder, sql } from "kysely";
import { restId } from "../../campaign/audience/copy-groups.ts";
import { addPeriod, emptyPeriod, type PeriodSums } from "../../campaign/audience/group-periods.ts";
import { activitySums } from "../../campaign/audience/group-sums.ts";
import type { SpreadSums } from "../../campaign/rate-ranges.ts";
import type { Scope } from "../queries/scope.ts";
import { type SumsFilter, sumsCondition } from "../sums/sums-filter.ts";
import { isCountedBy } from "./remove-attribute.ts";

export interface AudienceSums {
  /** The sums of each group in each period, in order of time, by the id of the group. */
  groups: Map<number, PeriodSums[]>;
  /** Recipients of campaigns in groups that are not released, or not yet. */
  withheldRecipients: number;
  /** Campaigns that have the attribute and a list of their recipients, and are not still counting. */
  campaigns: number;
  /** All campaigns of each period that are not still counting. */
  settled: number[];
}

interface AudienceQuery {
  attributeId: number;
  /** The start of each period, ascending, and the end of the last one. */
  starts: readonly number[];
}

/** Campaigns without a list are left out: how many recipients their groups have is not known. */
export async function findAudienceSums(
  scope: Scope,
  filter: SumsFilter,
  query: AudienceQuery,
): Promise<AudienceSums> {
  const { attributeId, starts } = query;
  const chosen = chosenCampaigns(scope, filter, query);
  const groups = new Map<number, PeriodSums[]>();
  const settled = starts.slice(1).map(() => 0);
  const sums: AudienceSums = { groups, withheldRecipients: 0, campaigns: 0, settled };
  for (const row of await readCounts(scope, filter, { chosen, attributeId })) {
    if (row.key === null) {
      sums.withheldRecipients += row.recipients;
      continue;
    }
    const periods = groups.get(Number(row.key)) ?? settled.map(emptyPeriod);
    groups.set(Number(row.key), periods);
    addPeriod(periods[Number(row.period)] as PeriodSums, { sums: toCounts(row), expected: row.expected });
  }
  for (const row of await countCampaigns(scope, { chosen, attributeId })) {
    settled[Number(row.period)] = Number(row.settled);
    sums.campaigns += Number(row.campaigns);
    sums.withheldRecipients += Number(row.unreleased ?? 0);
  }
  return sums;
}

/**
 * The campaigns that match, each with its period and its open rate; `listed` is null for those that are not counted by the
 * attribute. They are few: computed once, not for each of their groups.
 */
function chosenCampaigns(
  scope: Scope,
  filter: SumsFilter,
  { attributeId, starts }: AudienceQuery,
): RawBuilder<unknown> {
  const ends = starts
    .slice(1, -1)
    .map((end, period) => sql`when sums.sent_at < ${end} then ${sql.lit(period)}`);
  const last = sql.lit(ends.length);
  const period = ends.length === 0 ? last : sql`case ${sql.join(ends, sql` `)} else ${last} end`;
  return sql`chosen as materialized (
    select sums.campaign_id as id, case when ${isCountedBy(attributeId)} then campaigns.listed end as listed,
      cast(sums.opens as double precision) / nullif(sums.open_recipients, 0) as rate, ${period} as period from sums
    join campaigns on campaigns.organization_id = sums.organization_id and campaigns.id = sums.campaign_id
    where ${sumsCondition(scope, filter)} and sums.settled_campaigns = 1)`;
}

interface Selection {
  chosen: RawBuilder<unknown>;
  attributeId: number;
}

/** Withheld counts are null, and so are promoters and detractors of a group without ratings, whose number is `indexed`. */
const countColumns = [
  ...(["recipients", "opens", "clicks", "glanced", "skimmed", "read"] as const),
  ...(["promoters", "detractors", "indexed"] as const),
] as const;

/**
 * What the spreads of the open rate and the click rate have, and the opens at the rates of the campaigns. Whole numbers take a third less time than floating point, and
 * fit: a list has at most 200,000 recipients.
 */
const products = {
  opens_squares: "opens * opens",
  opens_products: "opens * recipients",
  clicks_squares: "clicks * clicks",
  clicks_products: "clicks * recipients",
  squares: "recipients * recipients",
  cubes: "cast(recipients as double precision) * recipients * recipients",
  click_recipients: "clicked",
  click_squares: "clicked * clicked",
  click_cubes: "cast(clicked as double precision) * clicked * clicked",
  // The eNPS is the sum of 100 for each promoter and -100 for each detractor, divided by the ratings.
  index_squares: "10000 * (promoters - detractors) * (promoters - detractors)",
  index_products: "100 * (promoters - detractors) * indexed",
  indexed_squares: "indexed * indexed",
  indexed_cubes: "cast(indexed as double precision) * indexed * indexed",
  expected: "recipients * rate",
} as const;

type CountsRow = { key: number | null; period: number } & Record<
  | (typeof countColumns)[number]
  | keyof typeof products
  | "campaigns"
  | "click_campaigns"
  | "read_campaigns"
  | "indexed_campaigns",
  number
>;

const summed = sql.join(
  [...countColumns.map((name) => [name, name]), ...Object.entries(products)].map(
    ([name = "", expression = ""]) =>
      sql`cast(coalesce(sum(${sql.raw(expression)}), 0) as double precision) as ${sql.ref(name)}`,
  ),
);

/** The key of all groups that are not released is null. */
async function readCounts(
  scope: Scope,
  { traffic }: SumsFilter,
  { chosen, attributeId }: Selection,
): Promise<CountsRow[]> {
  const ifRated = (column: string) =>
    sql`case when released_groups.enps_scores is not null and released_groups.enps_reactions > 0
      then released_groups.${sql.ref(column)} end`;
  const inner = sql`select nullif(released_groups.group_id, ${sql.lit(restId)}) as key,
      chosen.period as period, chosen.rate as rate, released_groups.recipients as recipients,
      released_groups.${sql.ref(`${traffic}_opens`)} as opens,
      released_groups.${sql.ref(`${traffic}_clicks`)} as clicks,
      released_groups.glanced as glanced, released_groups.skimmed as skimmed, released_groups.read as read,
      ${ifRated("enps_promoters")} as promoters, ${ifRated("enps_detractors")} as detractors,
      ${ifRated("enps_reactions")} as indexed
    from chosen cross join released_groups
    where released_groups.organization_id = ${scope.organizationId} and released_groups.campaign_id = chosen.id
      and released_groups.attribute_id = ${attributeId} and chosen.listed is not null`;
  const { rows } = await sql<CountsRow>`
    with ${chosen} select key, period, count(*) as campaigns, ${summed},
      count(clicks) as click_campaigns, count(indexed) as indexed_campaigns, count(case when glanced + skimmed + read > 0 then 1 end) as read_campaigns
    from (select counted.*, case when clicks is not null then recipients end as clicked from (${inner}) as counted) as counted group by key, period`.execute(
    scope,
  );
  return rows;
}

function toCounts(row: CountsRow): SpreadSums {
  const sums = activitySums({
    ...row,
    campaigns: Number(row.campaigns),
    clickRecipients: row.click_recipients,
    clickCampaigns: Number(row.click_campaigns),
    readCampaigns: Number(row.read_campaigns),
  });
  const { promoters, detractors, indexed } = row;
  return {
    ...sums,
    ...{ promoters, detractors, indexed, indexedCampaigns: Number(row.indexed_campaigns) },
    spreads: {
      openRate: {
        partSquares: row.opens_squares,
        products: row.opens_products,
        wholeSquares: row.squares,
        wholeCubes: row.cubes,
      },
      clickRate: {
        partSquares: row.clicks_squares,
        products: row.clicks_products,
        wholeSquares: row.click_squares,
        wholeCubes: row.click_cubes,
      },
      ...(indexed > 0 && {
        enpsIndex: {
          partSquares: row.index_squares,
          products: row.index_products,
          wholeSquares: row.indexed_squares,
          wholeCubes: row.indexed_cubes,
        },
      }),
    },
  };
}

interface CampaignCounts {
  period: number;
  settled: number;
  campaigns: number;
  /** The recipients of campaigns of which readers see no group yet. */
  unreleased: number | null;
}

async function countCampaigns(scope: Scope, { chosen, attributeId }: Selection): Promise<CampaignCounts[]> {
  const { rows } = await sql<CampaignCounts>`
    with ${chosen} select period, count(*) as settled, count(listed) as campaigns,
      sum(case when not exists (select 1 from released_groups
        where released_groups.organization_id = ${scope.organizationId} and released_groups.campaign_id = chosen.id
          and released_groups.attribute_id = ${attributeId}) then listed end) as unreleased
    from chosen group by period`.execute(scope);
  return rows;
}
