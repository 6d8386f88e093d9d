// Imports an uploaded file in one transaction.

import { AppError } from "../../errors.ts";
import { findImport, listImports, type StoredImport, saveImport } from "../../storage/imports/imports.ts";
import { recordAction } from "../../storage/organizations/audit-log.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import { listTags } from "../../storage/organizations/tags.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import type { CampaignChange } from "../publish.ts";
import { FileResult } from "./import-total.ts";
import { Warnings } from "./import-warnings.ts";
import type { ParsedEntry } from "./parse-entries.ts";
import { choicesKey, readRows } from "./reading.ts";
import { recordImport } from "./record-import.ts";
import { saveRows } from "./save-entries.ts";
import { importLifetimeMs } from "./upload.ts";

/** The request of a user who imports or undoes. */
export interface ImportRequest {
  id: number;
  /** The email of the user. */
  actor: string;
  now: number;
}

/**
 * Saves the campaigns of a file that waits, all or none.
 *
 * @param request.choices those that it was read with
 * @throws AppError `not_found` if there is no such file, `conflict` if it does not wait or has an error
 */
export async function importUpload(
  scope: Scope,
  organization: Organization,
  { choices, ...request }: ImportRequest & { choices: string },
): Promise<StoredImport["outcomes"]> {
  const upload = await requireState(scope, request.id, "waiting");
  if (upload.reading === null || upload.choices !== choicesKey(choices, organization)) {
    throw new AppError("conflict", "the file is read again, or the time zone has changed; check it again");
  }
  const { fileName, reading } = upload;
  const expiresAt = request.now + importLifetimeMs;
  const rows = readRows(scope, reading);
  return importRows(scope, organization, rows, { ...request, fileName, expiresAt });
}

/** @param request.expiresAt until when it can be undone @throws AppError `conflict` if a row has an error */
export async function importRows(
  scope: Scope,
  organization: Organization,
  rows: AsyncIterable<readonly ParsedEntry[]>,
  { id, actor, now, fileName, expiresAt }: ImportRequest & Pick<StoredImport, "fileName" | "expiresAt">,
): Promise<StoredImport["outcomes"]> {
  const result = new FileResult(new Warnings());
  const tagsBefore = new Set((await listTags(scope)).map((tag) => tag.id));
  // These go with the last import that names them.
  for (const { state, tagIds } of await listImports(scope))
    if (state === "imported") for (const tagId of tagIds) tagsBefore.delete(tagId);
  const tagIds = new Set<number>();
  const saved = async (campaigns: readonly CampaignChange[]) => {
    const tags = campaigns.flatMap(({ after }) => after.tags);
    for (const tag of tags) if (!tagsBefore.has(tag.id)) tagIds.add(tag.id);
    await recordImport(scope, id, campaigns);
  };
  await saveRows(scope, organization, rows, { now, result, saved });
  if (result.errorCount > 0) throw new AppError("conflict", result.errors[0]);
  const { outcomes } = result;
  await saveImport(scope, id, {
    state: "imported",
    importedAt: now,
    expiresAt,
    outcomes,
    tagIds: [...tagIds],
  });
  const target = `${fileName}: ${outcomes.added} added, ${outcomes.changed} changed`;
  await recordAction(scope, { at: now, actor, action: "campaigns.import", target });
  return outcomes;
}

/** @throws AppError `not_found` if there is no such file, `conflict` if it has another state */
export async function requireState(
  scope: Scope,
  id: number,
  state: StoredImport["state"],
): Promise<StoredImport> {
  const stored = await findImport(scope, id);
  if (!stored) throw new AppError("not_found");
  if (stored.state !== state) throw new AppError("conflict", `The file is ${stored.state}, not ${state}.`);
  return stored;
}
