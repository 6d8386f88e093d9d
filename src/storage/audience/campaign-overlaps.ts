// The table `campaign_overlaps`: what two groups of a campaign share.

import { sql } from "kysely";
import type { SharedCounts } from "../../campaign/audience/group-counts.ts";
import type { Overlap } from "../../campaign/audience/release-groups.ts";
import type { Queries } from "../database.ts";
import { isAnyOf } from "../dialect-differences.ts";
import { insertRows } from "../insert-rows.ts";
import { kindsOf } from "../tables.ts";

type StoredOverlap = Overlap & { campaignId: number };

/** @param overlaps by campaign, then both ids of {@link pairsOf} */
export async function addToOverlaps(
  queries: Queries,
  organizationId: number,
  campaigns: ReadonlyMap<number, ReadonlyMap<string, SharedCounts>>,
): Promise<void> {
  const rows = [...campaigns].flatMap(([campaignId, overlaps]) =>
    [...overlaps].map(([pair, { recipients, enpsReactions }]) => [
      ...[campaignId, ...pair.split(" ").map(Number), recipients, enpsReactions],
    ]),
  );
  const { organization_id, ...kinds } = kindsOf("campaign_overlaps");
  const onConflict = sql`on conflict (organization_id, campaign_id, group_id, other_id) do update
    set recipients = campaign_overlaps.recipients + excluded.recipients,
      enps_reactions = campaign_overlaps.enps_reactions + excluded.enps_reactions`;
  await insertRows(queries, organizationId, { into: "campaign_overlaps", kinds, rows }, onConflict);
}

export async function findOverlaps(
  queries: Queries,
  organizationId: number,
  campaignIds: readonly number[],
): Promise<StoredOverlap[]> {
  return queries
    .selectFrom("campaign_overlaps")
    .select([
      "campaign_id as campaignId",
      "group_id as groupId",
      "other_id as otherId",
      "recipients",
      "enps_reactions as enpsReactions",
    ])
    .where("organization_id", "=", organizationId)
    .where(isAnyOf(queries, "campaign_id", "integer", campaignIds))
    .execute();
}
