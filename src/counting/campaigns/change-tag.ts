// Changes and deletes tags. The campaigns that have the tag are published again in the same transaction.

import type { Tag } from "../../campaign/campaign.ts";
import { findCampaignIds } from "../../storage/campaigns/campaigns.ts";
import { recordAction } from "../../storage/organizations/audit-log.ts";
import { describeRule, listRules } from "../../storage/organizations/rules.ts";
import { deleteTag, listTags, saveTag } from "../../storage/organizations/tags.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { republish } from "../publish.ts";
import { refuseTakenName } from "./refuse-taken-name.ts";

/**
 * Renames or recolors a tag.
 *
 * @returns whether it exists
 * @throws AppError `conflict` if another tag has the name
 */
export async function changeTag(
  scope: Scope,
  { id, change, now }: { id: number; change: Partial<Omit<Tag, "id">>; now: number },
): Promise<boolean> {
  const tags = await listTags(scope);
  const before = tags.find((tag) => tag.id === id);
  if (!before) return false;
  if (change.name !== undefined && change.name !== before.name) {
    const others = tags.filter((tag) => tag.id !== id);
    refuseTakenName("tag", others, change.name);
  }
  await saveTag(scope, before, change);
  await republish(scope, await findCampaignIds(scope, { tagId: id }), { now });
  return true;
}

/** Deletes a tag, also from its campaigns, and the rules that give it. @returns whether it existed */
export async function removeTag(
  scope: Scope,
  { id, now: at, actor }: { id: number; now: number; actor: string },
): Promise<boolean> {
  const ids = await findCampaignIds(scope, { tagId: id });
  for (const rule of await listRules(scope, { tag_id: id }))
    await recordAction(scope, { at, actor, action: "rule.delete", target: describeRule(rule) });
  if (!(await deleteTag(scope, id))) return false;
  await republish(scope, ids, { now: at, retagged: ids });
  return true;
}
