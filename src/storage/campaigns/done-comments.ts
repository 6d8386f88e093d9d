// The table `done_comments`: the comments that admins marked as done, by campaign.

import type { Queries } from "../queries/database.ts";
import { isAnyOf } from "../queries/dialect-differences.ts";
import { deleteRows } from "../queries/rows.ts";

/** A comment by its campaign, and its key there. */
interface CommentReference {
  campaignId: number;
  key: string;
}

/** The keys of those of some campaigns. */
export async function findDoneComments(
  queries: Queries,
  organizationId: number,
  campaignIds: readonly number[],
): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
  const found = new Map<number, Set<string>>();
  const rows = await queries
    .selectFrom("done_comments")
    .select(["campaign_id", "comment"])
    .where("organization_id", "=", organizationId)
    .where(isAnyOf(queries, "campaign_id", "integer", campaignIds))
    .execute();
  for (const { campaign_id, comment } of rows) {
    const keys = found.get(campaign_id) ?? new Set<string>();
    found.set(campaign_id, keys.add(comment));
  }
  return found;
}

/** The campaign must exist. A comment that is done stays. */
export async function addDoneComment(
  queries: Queries,
  organizationId: number,
  { campaignId, key }: CommentReference,
): Promise<void> {
  await queries
    .insertInto("done_comments")
    .values({ organization_id: organizationId, campaign_id: campaignId, comment: key })
    .onConflict((conflict) => conflict.columns(["organization_id", "campaign_id", "comment"]).doNothing())
    .execute();
}

export async function deleteDoneComment(
  queries: Queries,
  organizationId: number,
  { campaignId, key }: CommentReference,
): Promise<void> {
  const row = { organization_id: organizationId, campaign_id: campaignId, comment: key };
  await deleteRows(queries, "done_comments", row);
}
