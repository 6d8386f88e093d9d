// Imports the rows of an uploaded file in parts, each in a transaction of its own, so that other organizations wait for none
// of them long. Readers see each campaign once its part is committed. Upkeep goes on with an import whose process ended.

import { paletteColor } from "../../campaign/campaign.ts";
import { quoteName } from "../../campaign/fields/names.ts";
import { AppError } from "../../errors.ts";
import { addPiece, deletePieces, findPiece } from "../../storage/imports/import-pieces.ts";
import {
  addImport,
  type CampaignsEdit,
  findImport,
  type ImportTask,
  isEdit,
  isInWork,
  listImports,
  type StoredImport,
  saveImport,
} from "../../storage/imports/imports.ts";
import { recordAction } from "../../storage/organizations/audit-log.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import { newRandomId } from "../../storage/organizations/revisions.ts";
import { listTags } from "../../storage/organizations/tags.ts";
import { chunks } from "../../storage/queries/database.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { saidOf } from "../campaigns/corrections.ts";
import type { CampaignChange } from "../publish.ts";
import { editCampaigns, saveUndone } from "./edit-campaigns.ts";
import { FileResult } from "./import-total.ts";
import { Warnings } from "./import-warnings.ts";
import type { ParsedEntry } from "./parse-entries.ts";
import { compressPiece, unpackRows } from "./pieces.ts";
import { choicesKey } from "./reading.ts";
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

/** A part takes about this long. The writes of others wait for it, and for those of their own. */
export const partMs = 40;

/**
 * Starts the import of a file that waits. {@link importPart} then imports it.
 *
 * @param request.choices those that it was read with
 * @throws AppError `not_found` if there is no such file; `conflict` if it does not wait, was read with other choices, or
 *   another file is being imported
 */
export async function startImport(
  scope: Scope,
  organization: Organization,
  { id, actor, now, choices, task }: ImportRequest & { choices: string; task: ImportTask },
): Promise<void> {
  const upload = await requireState(scope, id, "waiting");
  if (upload.reading === null || upload.choices !== choicesKey(choices, organization)) {
    throw new AppError("conflict", "the file is read again, or the time zone has changed; check it again");
  }
  await requireTurn(scope);
  await saveImport(scope, id, {
    state: "importing",
    workedAt: now,
    createdBy: actor,
    expiresAt: now + importLifetimeMs,
    task: { ...task, ...(task.edit && { undoing: newRandomId() }) },
  });
}

/** Publishing so many takes some ten milliseconds. */
const campaignsPerPiece = 100;

/** The audit log names so many campaigns of an edit. */
const maxNamed = 20;

export interface EditRequest {
  ids: readonly number[];
  edit: CampaignsEdit;
  /** The email of the user, or the name of the command. */
  actor: string;
}

/**
 * Starts to edit campaigns. {@link importPart} then edits them.
 *
 * @returns the id by which it can be undone
 * @throws AppError `conflict` while a file is imported or undone, or others are edited
 */
export async function startEdit(
  scope: Scope,
  { ids, edit, actor }: EditRequest,
  now: number,
): Promise<number> {
  await requireTurn(scope);
  const times = { createdAt: now, expiresAt: now + importLifetimeMs };
  const id = await addImport(scope, { ...times, createdBy: actor, fileName: "", bytes: ids.length });
  const reading = newRandomId();
  for (const [position, some] of [...chunks(ids, campaignsPerPiece)].entries()) {
    const content = await compressPiece(Buffer.from(JSON.stringify(some)));
    await addPiece(scope, { importId: reading, position, content });
  }
  await saveImport(scope, id, {
    state: "importing",
    reading,
    workedAt: now,
    task: { edit, first: ids.slice(0, maxNamed) },
  });
  return id;
}

/** Imports the next rows. @returns what it has imported; `more` unless this was the last part */
export async function importPart(
  scope: Scope,
  organization: Organization,
  upload: StoredImport,
  now: number,
): Promise<StoredImport | "more"> {
  let imported = upload;
  const endsAt = performance.now() + partMs;
  while (performance.now() < endsAt) {
    const next = await importPiece(scope, organization, imported, now);
    if (!next) return finishImport(scope, imported, now);
    imported = next;
  }
  const { outcomes, tagIds } = imported;
  await saveImport(scope, upload.id, { outcomes, tagIds, workedAt: now });
  return "more";
}

/** @returns the import with the next piece; undefined if there are no more */
async function importPiece(
  scope: Scope,
  organization: Organization,
  imported: StoredImport,
  now: number,
): Promise<StoredImport | undefined> {
  const piece = await findPiece(scope, imported.reading as number, 0);
  if (!piece) return undefined;
  const rows = await unpackRows<never>(piece.content);
  await deletePieces(scope, imported.reading as number, 1);
  return isEdit(imported)
    ? editCampaigns(scope, organization, imported, { ids: rows, position: piece.position, now })
    : importRows(scope, organization, imported, rows, now);
}

/** Saves campaigns as a part of an import. @returns the import with them */
export async function importRows(
  scope: Scope,
  organization: Organization,
  imported: StoredImport,
  rows: readonly ParsedEntry[],
  now: number,
): Promise<StoredImport> {
  const result = new FileResult(new Warnings());
  const own = new Set(imported.tagIds);
  const tags = await listTags(scope);
  const others = new Set(tags.map((tag) => tag.id));
  // These go with the last import that names them.
  for (const { state, tagIds } of await listImports(scope))
    if (state === "imported") for (const tagId of tagIds) others.delete(tagId);
  for (const tagId of own) others.delete(tagId);
  // A tag that an earlier part added without a color has that of its name.
  const isUncolored = ({ id, name, color }: (typeof tags)[number]) =>
    own.has(id) && color === paletteColor(name);
  const uncolored = new Set(tags.filter(isUncolored).map(({ name }) => name));
  const saved = async (campaigns: readonly CampaignChange[]) => {
    for (const tagId of campaigns.flatMap(({ after }) => saidOf(after).tagIds))
      if (!others.has(tagId)) own.add(tagId);
    await recordImport(scope, imported.id, campaigns);
    if (undoing === undefined) return;
    const edits = campaigns.filter(({ before, after }) => before && before !== after);
    const { added, changed, unchanged } = imported.outcomes;
    await saveUndone(scope, { id: undoing, position: added + changed + unchanged, undone: edits });
  };
  const { edit, replaces = false, undoing } = imported.task;
  const author = { at: now, by: imported.createdBy };
  const notices = { uncolored, saved, replaces: () => replaces, ...(edit && { edit: { edit, author } }) };
  await saveRows(scope, organization, rows, { now, result, ...notices });
  const { added, changed, unchanged } = imported.outcomes;
  const outcomes = {
    added: added + result.outcomes.added,
    changed: changed + result.outcomes.changed,
    // A campaign that was registered since the import began keeps its numbers.
    unchanged: unchanged + result.outcomes.unchanged + result.errorCount,
  };
  return { ...imported, outcomes, tagIds: [...own] };
}

export async function finishImport(scope: Scope, imported: StoredImport, now: number): Promise<StoredImport> {
  const { id, createdBy: actor, outcomes, tagIds } = imported;
  await saveImport(scope, id, { state: "imported", outcomes, tagIds, workedAt: now });
  const { first = [] } = imported.task;
  const named = `${outcomes.changed} changed, of campaigns ${first.join(", ")}${first.length < imported.bytes ? " and more" : ""}`;
  const [action, done] = isEdit(imported)
    ? (["campaigns.edit", named] as const)
    : (["campaigns.import", `${outcomes.added} added, ${outcomes.changed} changed`] as const);
  const target = `${describeImport(imported)}: ${done}`;
  await recordAction(scope, { at: now, actor, action, target });
  return { ...imported, state: "imported" };
}

/** The name of the file, or what was edited, for the audit log. */
export function describeImport({ fileName, task: { edit } }: StoredImport): string {
  const { add, remove, team, deletes } = edit ?? {};
  const parts = [
    ...(add ? [`tag ${quoteName(add.name)}`] : []),
    ...(remove ? [`without tag ${quoteName(remove.name)}`] : []),
    ...(team === undefined ? [] : [`team ${quoteName(team ?? "")}`]),
    ...(deletes ? ["deleted"] : []),
  ];
  return [fileName, parts.join(", ")].filter((part) => part !== "").join(", ");
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

/** @throws AppError `conflict` while another file of the organization is being imported or undone */
export async function requireTurn(scope: Scope): Promise<void> {
  const other = (await listImports(scope)).find(isInWork);
  if (!other) return;
  const name = describeImport(other);
  throw new AppError(
    "conflict",
    `other campaigns are being changed (${name}: ${other.state}); try again in a moment`,
  );
}
