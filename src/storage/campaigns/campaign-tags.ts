// The table `campaign_tags`: the tags of campaigns.

import { sql } from "kysely";
import type { Tag } from "../../campaign/campaign.ts";
import { chunks } from "../queries/database.ts";
import { isAnyOf } from "../queries/dialect-differences.ts";
import type { Scope } from "../queries/scope.ts";

/** Replaces the tags of campaigns. */
export async function saveTagsOfCampaigns(
  scope: Scope,
  campaigns: readonly { campaign: { id: number }; tags: readonly Tag[] }[],
): Promise<void> {
  await scope.deleteRows("campaign_tags", { campaign_id: campaigns.map(({ campaign }) => campaign.id) });
  const rows = campaigns.flatMap(({ campaign, tags }) =>
    tags.map((tag) => ({ campaign_id: campaign.id, tag_id: tag.id })),
  );
  for (const some of chunks(rows)) await scope.insert("campaign_tags", some).execute();
}

/**
 * The number of campaigns with a tag, by tag id; tags without campaigns are missing.
 *
 * @param filter.isSent only campaigns that were sent, as feeds have them; by default also scheduled ones
 */
export async function countCampaignsOfTags(
  scope: Scope,
  { tagId, isSent = false }: { tagId?: number; isSent?: boolean } = {},
): Promise<Map<number, number>> {
  let all = scope.from("campaign_tags");
  if (tagId !== undefined) all = all.where("tag_id", "=", tagId);
  if (isSent) {
    all = all.where(sql<boolean>`exists (select 1 from emails
      where emails.organization_id = ${scope.organizationId} and emails.id = campaign_tags.campaign_id)`);
  }
  const rows = await all
    .select((select) => ["tag_id", select.fn.countAll<number>().as("campaigns")])
    .groupBy("tag_id")
    .execute();
  return new Map(rows.map(({ tag_id, campaigns }) => [tag_id, Number(campaigns)]));
}

/** Tags by campaign id, in no particular order; campaigns without tags are missing. */
export async function findTagsOfCampaigns(
  scope: Scope,
  campaignIds: readonly number[],
): Promise<Map<number, Tag[]>> {
  const tags = new Map<number, Tag[]>();
  // PostgreSQL refuses an empty list.
  if (campaignIds.length === 0) return tags;
  const rows = await scope
    .from("campaign_tags")
    .innerJoin("tags", (join) =>
      join
        .onRef("tags.organization_id", "=", "campaign_tags.organization_id")
        .onRef("tags.id", "=", "campaign_tags.tag_id"),
    )
    .select(["campaign_tags.campaign_id", "tags.id", "tags.name", "tags.color"])
    .where(isAnyOf(scope, "campaign_tags.campaign_id", campaignIds))
    .execute();
  for (const { campaign_id, ...tag } of rows) {
    const others = tags.get(campaign_id);
    if (others) others.push(tag);
    else tags.set(campaign_id, [tag]);
  }
  return tags;
}
