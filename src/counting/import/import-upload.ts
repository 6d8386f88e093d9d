// Imports an uploaded file in one transaction.

import { AppError } from "../../errors.ts";
import { recordAction } from "../../storage/audit-log.ts";
import type { Queries } from "../../storage/database.ts";
import { findImport, listImports, type StoredImport, saveImport } from "../../storage/imports/imports.ts";
import type { Organization } from "../../storage/organizations.ts";
import { listTags } from "../../storage/tags.ts";
import type { CampaignChange } from "../publish.ts";
import { readCampaignFile } from "./campaign-file.ts";
import { FileResult } from "./import-total.ts";
import { Warnings } from "./import-warnings.ts";
import { limitEntries } from "./limit-entries.ts";
import type { MappingChoice } from "./mapping.ts";
import { recordImport } from "./record-import.ts";
import { saveEntries } from "./save-entries.ts";
import { importLifetimeMs, readUpload } from "./upload.ts";

/** Of a user who imports or undoes. */
export interface ImportRequest {
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
  const isSameZone = choice.timeZone === organization.timeZone;
  if (!isSameZone) throw new AppError("conflict", "the time zone of the organization has changed");
  const result = new FileResult(new Warnings());
  const tagsBefore = new Set((await listTags(queries, organizationId)).map((tag) => tag.id));
  // These go with the last import that names them.
  for (const { state, tagIds } of await listImports(queries, organizationId))
    if (state === "imported") for (const tagId of tagIds) tagsBefore.delete(tagId);
  const tagIds = new Set<number>();
  const entries = limitEntries(readCampaignFile(readUpload(queries, organizationId, { id }), choice));
  const saved = async (campaigns: readonly CampaignChange[]) => {
    const tags = campaigns.flatMap(({ after }) => after.tags);
    for (const tag of tags) if (!tagsBefore.has(tag.id)) tagIds.add(tag.id);
    await recordImport(queries, organizationId, id, campaigns);
  };
  await saveEntries(queries, organization, entries, { now, result, saved });
  if (result.errorCount > 0) throw new AppError("conflict", result.errors[0]);
  const { outcomes } = result;
  await saveImport(queries, organizationId, id, {
    ...{ state: "imported", importedAt: now, expiresAt, outcomes },
    tagIds: [...tagIds],
  });
  const target = `${fileName}: ${outcomes.added} added, ${outcomes.changed} changed`;
  await recordAction(queries, organizationId, { at: now, actor, action: "campaigns.import", target });
  return outcomes;
}

/** @throws AppError `not_found` if there is no such file, `conflict` if it has another state */
export async function requireState(
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
