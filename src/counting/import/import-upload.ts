// Imports an uploaded file in one transaction, and undoes the import.

import { createHash } from "node:crypto";
import type { Campaign } from "../../campaign/campaign.ts";
import type { ReportedMetrics } from "../../campaign/metrics.ts";
import { AppError } from "../../errors.ts";
import { recordAction } from "../../storage/audit-log.ts";
import { countCampaignsOfTags } from "../../storage/campaigns/campaign-tags.ts";
import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import type { StoredCampaign } from "../../storage/campaigns/stored-campaign.ts";
import { type Queries, rowsPerStatement } from "../../storage/database.ts";
import {
  addImportedCampaigns,
  deleteImportedCampaigns,
  findImportedCampaigns,
  type ImportedCampaign,
} from "../../storage/imports/imported-campaigns.ts";
import { findImport, neverExpires, type StoredImport, saveImport } from "../../storage/imports/imports.ts";
import type { Organization } from "../../storage/organizations.ts";
import { deleteTag, listTags } from "../../storage/tags.ts";
import { removeReportedCampaigns } from "../campaigns/remove-campaign.ts";
import { type CampaignChange, publish, publishAtAfter } from "../publish.ts";
import { readCampaignFile } from "./campaign-file.ts";
import { FileResult } from "./import-total.ts";
import { Warnings } from "./import-warnings.ts";
import { limitEntries } from "./limit-entries.ts";
import type { MappingChoice } from "./mapping.ts";
import { saveEntries } from "./save-entries.ts";
import { discardImport, importLifetimeMs, readUpload } from "./upload.ts";

/** Of a user who imports or undoes. */
interface ImportRequest {
  id: number;
  /** The email of the user. */
  actor: string;
  now: number;
}

/**
 * Saves the campaigns of a file that waits, all or none.
 *
 * @param request.expiresAt until when it can be undone; a day later by default
 * @throws AppError `not_found` if there is no such file, `conflict` if it does not wait or has an error
 */
export async function importUpload(
  queries: Queries,
  organization: Organization,
  {
    id,
    actor,
    now,
    choice,
    expiresAt = now + importLifetimeMs,
  }: ImportRequest & { choice: MappingChoice; expiresAt?: number },
): Promise<StoredImport["outcomes"]> {
  const { id: organizationId } = organization;
  const { fileName } = await requireState(queries, organizationId, id, "waiting");
  const result = new FileResult(new Warnings());
  const tagsBefore = new Set((await listTags(queries, organizationId)).map((tag) => tag.id));
  const entries = limitEntries(readCampaignFile(readUpload(queries, organizationId, { id }), choice));
  const changed = (changes: readonly CampaignChange[]) =>
    addImportedCampaigns(queries, organizationId, id, changes.map(toImportedCampaign));
  await saveEntries(queries, organization, entries, { now, result, changed });
  if (result.errorCount > 0) throw new AppError("conflict", result.errors[0]);
  const { outcomes } = result;
  const tags = await listTags(queries, organizationId);
  await saveImport(queries, organizationId, id, {
    ...{ state: "imported", importedAt: now, expiresAt, outcomes },
    tagIds: tags.map((tag) => tag.id).filter((tagId) => !tagsBefore.has(tagId)),
  });
  const target = `${fileName}: ${outcomes.added} added, ${outcomes.changed} changed`;
  await recordAction(queries, organizationId, { at: now, actor, action: "campaigns.import", target });
  return outcomes;
}

async function requireState(
  queries: Queries,
  organizationId: number,
  id: number,
  state: StoredImport["state"],
): Promise<StoredImport> {
  const found = await findImport(queries, organizationId, id);
  if (!found) throw new AppError("not_found");
  if (found.state !== state) throw new AppError("conflict", `The file is ${found.state}, not ${state}.`);
  return found;
}

/** What undoing needs of a campaign before the import. */
interface CampaignBefore {
  campaign: Campaign;
  reported: ReportedMetrics;
  tagIds: number[];
}

function toImportedCampaign({ before, after }: CampaignChange): ImportedCampaign {
  return {
    id: after.campaign.id,
    before: before ? JSON.stringify(contentOf(before)) : null,
    after: hashOf(after),
  };
}

function contentOf({ campaign, numbers, tags }: StoredCampaign): CampaignBefore {
  const reported = ("reported" in numbers ? numbers.reported : {}) as ReportedMetrics;
  return { campaign, reported, tagIds: tags.map(({ id }) => id).sort((a, b) => a - b) };
}

/** Of its content, whatever its tags are called now. */
function hashOf(stored: StoredCampaign): string {
  const { campaign, reported, tagIds } = contentOf(stored);
  const sorted = Object.entries({ ...campaign, ...reported, tagIds }).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([stored.counting !== null, sorted]))
    .digest("hex");
}

/** What undoing an import did. Kept are campaigns that were changed or deleted since. */
export interface UndoneImport {
  removed: number;
  restored: number;
  kept: number;
}

/**
 * Removes the campaigns that an import added, and gives those that it changed their content of before. Of sample data
 * none is kept.
 *
 * @throws AppError as {@link importUpload}
 */
export async function undoImport(
  queries: Queries,
  organization: Organization,
  { id, actor, now }: ImportRequest,
): Promise<UndoneImport> {
  const { id: organizationId } = organization;
  const { fileName, tagIds, expiresAt } = await requireState(queries, organizationId, id, "imported");
  const isSample = expiresAt === neverExpires;
  const undone: UndoneImport = { removed: 0, restored: 0, kept: 0 };
  for (let after = 0; ; ) {
    const some = await findImportedCampaigns(queries, organizationId, id, { after, limit: rowsPerStatement });
    await undoSome(queries, organization, some, { now, undone, isSample });
    if (some.length < rowsPerStatement) break;
    after = some.at(-1)?.id ?? Number.POSITIVE_INFINITY;
  }
  const used = await countCampaignsOfTags(queries, organizationId);
  for (const tagId of tagIds) if (!used.has(tagId)) await deleteTag(queries, organizationId, tagId);
  await deleteImportedCampaigns(queries, organizationId, id);
  if (isSample) await discardImport(queries, organizationId, id);
  else await saveImport(queries, organizationId, id, { state: "undone", expiresAt: now + importLifetimeMs });
  const target = `${fileName}: ${undone.removed} removed, ${undone.restored} restored, ${undone.kept} kept`;
  await recordAction(queries, organizationId, { at: now, actor, action: "campaigns.undo", target });
  return undone;
}

async function undoSome(
  queries: Queries,
  organization: Organization,
  some: readonly ImportedCampaign[],
  { now, undone, isSample }: { now: number; undone: UndoneImport; isSample: boolean },
): Promise<void> {
  const ids = some.map(({ id }) => id);
  const stored = new Map(
    (await findCampaigns(queries, organization.id, ids)).map((each) => [each.campaign.id, each]),
  );
  const tags = new Map((await listTags(queries, organization.id)).map((tag) => [tag.id, tag]));
  const changes: CampaignChange[] = [];
  const removed: Campaign[] = [];
  for (const { id, before, after } of some) {
    const current = stored.get(id);
    const isKept = !isSample && current && hashOf(current) !== after;
    if (!current || isKept) undone.kept += 1;
    else if (before === null) {
      removed.push(current.campaign);
      undone.removed += 1;
    } else {
      const { campaign, reported, tagIds } = JSON.parse(before) as CampaignBefore;
      const restored = {
        ...{ registration: current.registration, campaign, numbers: { reported }, counting: null },
        tags: tagIds.flatMap((tagId) => tags.get(tagId) ?? []),
      };
      changes.push({
        before: current,
        after: { ...restored, publishAt: publishAtAfter(current, restored, now) },
      });
      undone.restored += 1;
    }
  }
  await removeReportedCampaigns(queries, organization.id, removed, now);
  if (changes.length > 0) await publish(queries, organization, changes, now);
}
