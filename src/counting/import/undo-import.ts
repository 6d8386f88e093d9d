// Undoes an import in parts: takes it out of the history of each campaign that it brought.

import type { Campaign } from "../../campaign/campaign.ts";
import { countCampaignsOfTags } from "../../storage/campaigns/campaign-tags.ts";
import { findCampaigns, findCorrectedTags } from "../../storage/campaigns/campaigns.ts";
import {
  deleteImportedCampaigns,
  findHistories,
  findImportedIds,
  findTagsBefore,
  saveImportedCampaigns,
} from "../../storage/imports/imported-campaigns.ts";
import {
  findImport,
  isEdit,
  listImports,
  neverExpires,
  type StoredImport,
  saveImport,
} from "../../storage/imports/imports.ts";
import { recordAction } from "../../storage/organizations/audit-log.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import { listRules } from "../../storage/organizations/rules.ts";
import { deleteTag, findTagsById } from "../../storage/organizations/tags.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { saidOf, withSaid } from "../campaigns/corrections.ts";
import { removeReportedCampaigns } from "../campaigns/remove-campaign.ts";
import { type CampaignChange, saveAndPublish } from "../publish.ts";
import { undoPiece } from "./edit-campaigns.ts";
import { describeImport, type ImportRequest, partMs, requireState, requireTurn } from "./import-upload.ts";
import { type CampaignBefore, stateOf } from "./record-import.ts";
import { discardImport, importLifetimeMs } from "./upload.ts";

/** What undoing did. Kept are campaigns that something else brought or changed since. */
export interface UndoneImport {
  removed: number;
  restored: number;
  kept: number;
}

export function undoneOf({ outcomes, removed, restored }: StoredImport): UndoneImport {
  const done = { removed: removed ?? 0, restored: restored ?? 0 };
  const { added, changed, unchanged } = outcomes;
  return { ...done, kept: added + changed + unchanged - done.removed - done.restored };
}

/** Upkeep retries a part that fails, so an import that works saves a part sooner. */
const stuckAfterMs = 60_000;

/** Whether it was imported, or some of its parts were and the next one keeps failing. */
export const canBeUndone = ({ state, workedAt }: StoredImport, now: number) =>
  state === "imported" || (state === "importing" && (workedAt ?? 0) < now - stuckAfterMs);

/** Starts to undo an import. {@link undoPart} then undoes it. @throws AppError as `startImport` */
export async function startUndo(scope: Scope, { id, actor, now }: ImportRequest): Promise<void> {
  const stored = await findImport(scope, id);
  if (!stored || !canBeUndone(stored, now)) await requireState(scope, id, "imported");
  if (stored?.state === "imported") await requireTurn(scope);
  await saveImport(scope, id, {
    state: "undoing",
    workedAt: now,
    createdBy: actor,
    removed: 0,
    restored: 0,
  });
}

const campaignsPerStatement = 250;

/**
 * Gives the next campaigns back what the newest other import said of each or, if there is none, what it was before. Imports
 * can be undone in any order. What else brought a campaign has ended its history, so the campaign is kept. A tag that
 * imports added goes with the last of them, unless a campaign or a rule has it.
 *
 * @returns what it has undone; `more` unless this was the last part
 */
export async function undoPart(
  scope: Scope,
  organization: Organization,
  imported: StoredImport,
  now: number,
): Promise<StoredImport | "more"> {
  const { id } = imported;
  let [removed, restored] = [imported.removed ?? 0, imported.restored ?? 0];
  const endsAt = performance.now() + partMs;
  while (performance.now() < endsAt) {
    const { undoing } = imported.task;
    if (isEdit(imported) || undoing !== undefined) {
      const count = await undoPiece(scope, organization, undoing ?? id, now);
      if (isEdit(imported)) restored += count ?? 0;
      if (count !== undefined) continue;
      if (isEdit(imported)) return finishUndo(scope, { ...imported, removed, restored }, now);
    }
    const ids = await findImportedIds(scope, id, campaignsPerStatement);
    if (ids.length === 0) return finishUndo(scope, { ...imported, removed, restored }, now);
    const undone = await undoSome(scope, organization, ids, { importId: id, now });
    removed += undone.removed;
    restored += undone.restored;
  }
  await saveImport(scope, id, { removed, restored, workedAt: now });
  return "more";
}

async function finishUndo(scope: Scope, imported: StoredImport, now: number): Promise<StoredImport> {
  const { id, tagIds, expiresAt, createdBy: actor, removed, restored } = imported;
  const done = { removed, restored, workedAt: now };
  if (expiresAt === neverExpires) await discardImport(scope, id);
  else await saveImport(scope, id, { ...done, state: "undone", expiresAt: now + importLifetimeMs });
  await deleteTags(scope, tagIds);
  const undone = undoneOf(imported);
  const target = `${describeImport(imported)}: ${undone.removed} removed, ${undone.restored} restored, ${undone.kept} kept`;
  await recordAction(scope, { at: now, actor, action: "campaigns.undo", target });
  return { ...imported, state: "undone" };
}

async function undoSome(
  scope: Scope,
  organization: Organization,
  ids: readonly number[],
  { importId, now }: { importId: number; now: number },
): Promise<{ removed: number; restored: number }> {
  const histories = await findHistories(scope, ids);
  const tags = await findTagsById(scope);
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
      const { origin, ...saidBefore } = JSON.parse(before) as CampaignBefore;
      const tagIds = JSON.parse(tags_before) as number[];
      const after = withSaid({ ...current, origin }, { ...saidBefore, tagIds }, tags);
      // Without tags that were deleted.
      const said = withSaid(current, saidOf(current), tags);
      if (JSON.stringify(stateOf(said)) !== JSON.stringify(stateOf(after)))
        changes.push({ before: current, after });
    }
  }
  await saveImportedCampaigns(scope, covered);
  await removeReportedCampaigns(scope, removed, now);
  await saveAndPublish(scope, organization, changes, now);
  await deleteImportedCampaigns(scope, importId, ids);
  return { removed: removed.length, restored: changes.length };
}

/** Deletes those that neither another import brought nor a rule or a campaign has, or would have again after undoing. */
async function deleteTags(scope: Scope, tagIds: readonly number[]): Promise<void> {
  if (tagIds.length === 0) return;
  const imports = await listImports(scope);
  const used = new Set([
    ...imports.filter(({ state }) => state === "imported").flatMap((each) => each.tagIds),
    ...(await countCampaignsOfTags(scope)).keys(),
    ...(await findTagsBefore(scope)),
    ...(await findCorrectedTags(scope)),
    ...(await listRules(scope)).map((rule) => rule.tagId),
  ]);
  for (const tagId of tagIds) if (!used.has(tagId)) await deleteTag(scope, tagId);
}
