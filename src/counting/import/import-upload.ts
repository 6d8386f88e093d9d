// Imports an uploaded file in one transaction, and undoes the import.

import { createHash } from "node:crypto";
import type { Campaign } from "../../campaign/campaign.ts";
import type { ReportedMetrics } from "../../campaign/metrics.ts";
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
import { type StoredImport, saveImport } from "../../storage/imports/imports.ts";
import type { Organization } from "../../storage/organizations.ts";
import { deleteTag, listTags } from "../../storage/tags.ts";
import { removeCampaign } from "../campaigns/remove-campaign.ts";
import { type CampaignChange, publish, publishAtAfter } from "../publish.ts";
import { readCampaignFile } from "./campaign-file.ts";
import { FileResult } from "./import-total.ts";
import { Warnings } from "./import-warnings.ts";
import { limitEntries } from "./limit-entries.ts";
import type { MappingChoice } from "./mapping.ts";
import { saveEntries } from "./save-entries.ts";
import { importLifetimeMs, readUpload } from "./upload.ts";

/**
 * Saves the campaigns of a file that waits.
 *
 * @returns its result: the caller rolls the transaction back if it has errors
 */
export async function importUpload(
  queries: Queries,
  organization: Organization,
  upload: StoredImport,
  { choice, now }: { choice: MappingChoice; now: number },
): Promise<FileResult> {
  const { id: organizationId } = organization;
  const result = new FileResult(new Warnings());
  const tagsBefore = new Set((await listTags(queries, organizationId)).map(({ id }) => id));
  const entries = limitEntries(readCampaignFile(readUpload(queries, organizationId, upload), choice));
  const changed = (changes: readonly CampaignChange[]) =>
    addImportedCampaigns(queries, organizationId, upload.id, changes.map(toImportedCampaign));
  await saveEntries(queries, organization, entries, { now, result, changed });
  const tags = await listTags(queries, organizationId);
  await saveImport(queries, organizationId, upload.id, {
    ...{ state: "imported", importedAt: now, expiresAt: now + importLifetimeMs, outcomes: result.outcomes },
    tagIds: tags.map(({ id }) => id).filter((id) => !tagsBefore.has(id)),
  });
  return result;
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
interface UndoneImport {
  removed: number;
  restored: number;
  kept: number;
}

/** Removes the campaigns that an import added, and gives those that it changed their content of before. */
export async function undoImport(
  queries: Queries,
  organization: Organization,
  { id, tagIds }: StoredImport,
  now: number,
): Promise<UndoneImport> {
  const { id: organizationId } = organization;
  const undone: UndoneImport = { removed: 0, restored: 0, kept: 0 };
  for (let after = 0; ; ) {
    const some = await findImportedCampaigns(queries, organizationId, id, { after, limit: rowsPerStatement });
    await undoSome(queries, organization, some, { now, undone });
    if (some.length < rowsPerStatement) break;
    after = some.at(-1)?.id ?? Number.POSITIVE_INFINITY;
  }
  const used = await countCampaignsOfTags(queries, organizationId);
  for (const tagId of tagIds) if (!used.has(tagId)) await deleteTag(queries, organizationId, tagId);
  await deleteImportedCampaigns(queries, organizationId, id);
  await saveImport(queries, organizationId, id, { state: "undone", expiresAt: now + importLifetimeMs });
  return undone;
}

async function undoSome(
  queries: Queries,
  organization: Organization,
  some: readonly ImportedCampaign[],
  { now, undone }: { now: number; undone: UndoneImport },
): Promise<void> {
  const ids = some.map(({ id }) => id);
  const stored = new Map(
    (await findCampaigns(queries, organization.id, ids)).map((each) => [each.campaign.id, each]),
  );
  const tags = new Map((await listTags(queries, organization.id)).map((tag) => [tag.id, tag]));
  const changes: CampaignChange[] = [];
  for (const { id, before, after } of some) {
    const current = stored.get(id);
    if (!current || hashOf(current) !== after) undone.kept += 1;
    else if (before === null) {
      await removeCampaign(queries, organization.id, id, now);
      undone.removed += 1;
    } else {
      const { campaign, reported, tagIds } = JSON.parse(before) as CampaignBefore;
      const restored = {
        ...{ campaign, numbers: { reported }, counting: null },
        tags: tagIds.flatMap((tagId) => tags.get(tagId) ?? []),
      };
      changes.push({
        before: current,
        after: { ...restored, publishAt: publishAtAfter(current, restored, now) },
      });
      undone.restored += 1;
    }
  }
  if (changes.length > 0) await publish(queries, organization, changes, now);
}
