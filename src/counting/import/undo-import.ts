// Undoes an import: takes it out of the history of each campaign that it brought.

import type { Campaign } from "../../campaign/campaign.ts";
import { countCampaignsOfTags } from "../../storage/campaigns/campaign-tags.ts";
import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import {
  deleteImportedCampaigns,
  findHistories,
  findImportedIds,
  findTagsBefore,
  saveImportedCampaigns,
} from "../../storage/imports/imported-campaigns.ts";
import { listImports, neverExpires, saveImport } from "../../storage/imports/imports.ts";
import { recordAction } from "../../storage/organizations/audit-log.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import { deleteTag, listTags } from "../../storage/organizations/tags.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { removeReportedCampaigns } from "../campaigns/remove-campaign.ts";
import { type CampaignChange, publishAtAfter, saveAndPublish } from "../publish.ts";
import { type ImportRequest, requireState } from "./import-upload.ts";
import { type CampaignBefore, stateOf } from "./record-import.ts";
import { discardImport, importLifetimeMs } from "./upload.ts";

/** What undoing did. Kept are campaigns that something else brought or changed since. */
export interface UndoneImport {
  removed: number;
  restored: number;
  kept: number;
}

/**
 * Gives each campaign back what the newest other import said of it or, if there is none, what it was before. Imports can be
 * undone in any order. Whatever else changed a campaign has ended its history, so the campaign is kept. A tag that imports
 * added goes with the last of them, unless a campaign has it.
 *
 * @throws AppError as `importUpload`
 */
export async function undoImport(
  scope: Scope,
  organization: Organization,
  { id, actor, now }: ImportRequest,
): Promise<UndoneImport> {
  const imported = await requireState(scope, id, "imported");
  const { fileName, tagIds, expiresAt, outcomes } = imported;
  const counts = { removed: 0, restored: 0 };
  for (let ids: number[] = []; ; ) {
    ids = await findImportedIds(scope, id, ids.at(-1) ?? 0);
    if (ids.length === 0) break;
    await undoSome(scope, organization, ids, { importId: id, now, counts });
  }
  await deleteImportedCampaigns(scope, id);
  if (expiresAt === neverExpires) await discardImport(scope, id);
  else await saveImport(scope, id, { state: "undone", expiresAt: now + importLifetimeMs });
  await deleteTags(scope, tagIds);
  const { added, changed, unchanged } = outcomes;
  const undone = { ...counts, kept: added + changed + unchanged - counts.removed - counts.restored };
  const target = `${fileName}: ${undone.removed} removed, ${undone.restored} restored, ${undone.kept} kept`;
  await recordAction(scope, { at: now, actor, action: "campaigns.undo", target });
  return undone;
}

async function undoSome(
  scope: Scope,
  organization: Organization,
  ids: readonly number[],
  {
    importId,
    now,
    counts,
  }: { importId: number; now: number; counts: Pick<UndoneImport, "removed" | "restored"> },
): Promise<void> {
  const histories = await findHistories(scope, ids);
  const tags = new Map((await listTags(scope)).map((tag) => [tag.id, tag]));
  const covered: Parameters<typeof saveImportedCampaigns>[1][number][] = [];
  const changes: CampaignChange[] = [];
  const removed: Campaign[] = [];
  for (const current of await findCampaigns(scope, ids)) {
    const history = histories.get(current.campaign.id) ?? [];
    const index = history.findIndex((each) => each.import_id === importId);
    const { before, tags_before } = history[index] as (typeof history)[number];
    const next = history[index + 1];
    if (next) covered.push({ ...next, before, tags_before });
    else if (before === null) removed.push(current.campaign);
    else {
      const { campaign, reported } = JSON.parse(before) as CampaignBefore;
      const tagIds = JSON.parse(tags_before) as number[];
      const restored = {
        registration: current.registration,
        campaign,
        numbers: { reported },
        counting: null,
        tags: tagIds.flatMap((tagId) => tags.get(tagId) ?? []),
      };
      const after = { ...restored, publishAt: publishAtAfter(current, restored, now) };
      if (JSON.stringify(stateOf(current)) !== JSON.stringify(stateOf(after)))
        changes.push({ before: current, after });
    }
  }
  await saveImportedCampaigns(scope, covered);
  await removeReportedCampaigns(scope, removed, now);
  if (changes.length > 0) await saveAndPublish(scope, organization, changes, now);
  counts.removed += removed.length;
  counts.restored += changes.length;
}

/** Deletes those that neither another import brought nor a campaign has, or would have again after undoing. */
async function deleteTags(scope: Scope, tagIds: readonly number[]): Promise<void> {
  if (tagIds.length === 0) return;
  const imports = await listImports(scope);
  const used = new Set([
    ...imports.filter(({ state }) => state === "imported").flatMap((each) => each.tagIds),
    ...(await countCampaignsOfTags(scope)).keys(),
    ...(await findTagsBefore(scope)),
  ]);
  for (const tagId of tagIds) if (!used.has(tagId)) await deleteTag(scope, tagId);
}
