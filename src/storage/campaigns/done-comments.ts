// The table `done_comments`: the comments that admins marked as done, by campaign.

import { isAnyOf } from "../queries/dialect-differences.ts";
import type { Scope } from "../queries/scope.ts";

/** A comment by its campaign, and its key there. */
interface CommentReference {
  campaignId: number;
  key: string;
}

/** The keys of those of some campaigns. */
export async function findDoneComments(
  scope: Scope,
  campaignIds: readonly number[],
): Promise<ReadonlyMap<number, ReadonlySet<string>>> {
  const found = new Map<number, Set<string>>();
  const rows = await scope
    .from("done_comments")
    .select(["campaign_id", "comment"])
    .where(isAnyOf(scope, "campaign_id", "integer", campaignIds))
    .execute();
  for (const { campaign_id, comment } of rows) {
    const keys = found.get(campaign_id) ?? new Set<string>();
    found.set(campaign_id, keys.add(comment));
  }
  return found;
}

/** The campaign must exist. A comment that is done stays. */
export async function addDoneComment(scope: Scope, { campaignId, key }: CommentReference): Promise<void> {
  await scope
    .insert("done_comments", { campaign_id: campaignId, comment: key })
    .onConflict((conflict) => conflict.columns(["organization_id", "campaign_id", "comment"]).doNothing())
    .execute();
}

export async function deleteDoneComment(scope: Scope, { campaignId, key }: CommentReference): Promise<void> {
  await scope.deleteRows("done_comments", { campaign_id: campaignId, comment: key });
}
