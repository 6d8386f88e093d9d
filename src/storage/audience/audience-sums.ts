// What the groups of an attribute count over several campaigns. Only released groups are added.

import { sql } from "kysely";
import { restId } from "../../campaign/audience/copy-groups.ts";
import { emptyPeriod, type PeriodSums } from "../../campaign/audience/group-periods.ts";
import {
  addGroup,
  addToPeriod,
  emptyGroupSums,
  type GroupSums,
  openRateOf,
  type PackedGroup,
} from "../../campaign/audience/group-sums.ts";
import type { Scope } from "../queries/scope.ts";
import { type SumsFilter, sumsCondition } from "../sums/sums-filter.ts";
import { isCountedBy } from "./remove-attribute.ts";

export interface AudienceSums {
  /** The sums of each group, and of each period in order of time, by the id of the group. */
  groups: Map<number, { total: GroupSums; periods: PeriodSums[] }>;
  /** Recipients of campaigns in groups that are not released. */
  withheldRecipients: number;
  /** Recipients of campaigns whose groups readers do not see yet. */
  laterRecipients: number;
  /** Campaigns that match and have the attribute and a list of their recipients. */
  campaigns: number;
  /** All campaigns of each period that match. */
  matching: number[];
}

interface AudienceQuery {
  attributeId: number;
  /** The start of each period, ascending. What was sent before is in the first. */
  starts: readonly number[];
}

/** Campaigns without a list are left out: how many recipients their groups have is not known. */
export async function findAudienceSums(
  scope: Scope,
  filter: SumsFilter,
  { attributeId, starts }: AudienceQuery,
): Promise<AudienceSums> {
  const groups: AudienceSums["groups"] = new Map();
  const matching = starts.map(() => 0);
  const sums: AudienceSums = { groups, withheldRecipients: 0, laterRecipients: 0, campaigns: 0, matching };
  for (const { sent_at, listed, copy } of await findMatching(scope, filter, attributeId)) {
    const period = Math.max(
      starts.findLastIndex((start) => start <= sent_at),
      0,
    );
    matching[period] = (matching[period] ?? 0) + 1;
    if (listed === null) continue;
    sums.campaigns += 1;
    if (copy === null) sums.laterRecipients += listed;
    const copied: PackedGroup[] = copy === null ? [] : JSON.parse(copy);
    // The groups of a copy are of one age. The campaign itself may have more opens since.
    const rate = openRateOf(copied, filter.traffic);
    for (const group of copied) {
      const [id, recipients] = group as readonly number[] as readonly [number, number];
      if (id === restId) {
        sums.withheldRecipients += recipients;
        continue;
      }
      const found = groups.get(id);
      const own = found ?? { total: emptyGroupSums(), periods: matching.map(emptyPeriod) };
      if (!found) groups.set(id, own);
      addGroup(own.total, group, filter.traffic);
      addToPeriod(own.periods[period] as PeriodSums, group, filter.traffic, rate);
    }
  }
  return sums;
}

interface MatchingCampaign {
  sent_at: number;
  /** Null if it has no list, or is not counted by the attribute. */
  listed: number | null;
  copy: string | null;
}

async function findMatching(
  scope: Scope,
  filter: SumsFilter,
  attributeId: number,
): Promise<MatchingCampaign[]> {
  const { rows } = await sql<MatchingCampaign>`
    select sums.sent_at as sent_at, released_groups.groups as copy,
      case when ${isCountedBy(attributeId)} then campaigns.listed end as listed
    from sums
    join campaigns on campaigns.organization_id = sums.organization_id and campaigns.id = sums.campaign_id
    left join released_groups on released_groups.organization_id = sums.organization_id
      and released_groups.campaign_id = sums.campaign_id and released_groups.attribute_id = ${attributeId}
    where ${sumsCondition(scope, filter)}`.execute(scope);
  return rows;
}
