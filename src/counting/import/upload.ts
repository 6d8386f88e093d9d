// A file that a user uploads in pieces: it waits in the database, where every server finds it, until it is imported.

import { dayMs } from "../../campaign/calendar/durations.ts";
import { AppError } from "../../errors.ts";
import { addPiece, deletePieces } from "../../storage/imports/import-pieces.ts";
import { settleImport } from "../../storage/imports/imported-campaigns.ts";
import {
  addImport,
  deleteImport,
  findExpiredImport,
  findImport,
  listImports,
  saveImport,
} from "../../storage/imports/imports.ts";
import type { Scope } from "../../storage/queries/scope.ts";

/** How long a file waits, and an import can be undone. */
export const importLifetimeMs = dayMs;

/** Upkeep deletes an import that expired at this time at once. */
const expired = 0;

/**
 * Starts an upload. Files of the user that still wait are discarded.
 *
 * @returns its id
 */
export async function startUpload(
  scope: Scope,
  { now, user, fileName, bytes }: { now: number; user: string; fileName: string; bytes: number },
): Promise<number> {
  for (const { id, createdBy, state } of await listImports(scope)) {
    const isWaiting = state === "uploading" || state === "waiting";
    if (isWaiting && createdBy === user) await discardImport(scope, id);
  }
  return addImport(scope, {
    createdAt: now,
    expiresAt: now + importLifetimeMs,
    createdBy: user,
    fileName,
    bytes,
  });
}

export function discardImport(scope: Scope, id: number): Promise<void> {
  return saveImport(scope, id, { state: "discarded", expiresAt: expired });
}

/**
 * Adds the next piece. A piece that is there already is ignored, because a browser may send it again.
 *
 * @param length of the piece before it was compressed
 * @throws AppError `not_found` if there is no such upload, `conflict` if another piece is missing or the file is complete
 */
export async function appendPiece(
  scope: Scope,
  { id, position, length, content }: { id: number; position: number; length: number; content: Buffer },
): Promise<void> {
  const upload = await findImport(scope, id);
  if (!upload || upload.state === "discarded") throw new AppError("not_found");
  const { received, bytes, state } = upload;
  if (position + length <= received && length > 0) return;
  const end = position + length;
  if (state !== "uploading" || position !== received || length === 0 || end > bytes) {
    throw new AppError("conflict");
  }
  await addPiece(scope, { importId: id, position, content });
  const isComplete = end === bytes;
  await saveImport(scope, id, {
    received: end,
    ...(isComplete && { state: "waiting" as const }),
  });
}

/** Deleting so many takes some milliseconds. */
export const piecesPerTransaction = 10;

/** Deletes a part of one import that expired. @returns whether there may be more */
export async function deleteExpiredImport(scope: Scope, now: number): Promise<boolean> {
  const id = await findExpiredImport(scope, now);
  if (id === undefined) return false;
  const { reading, task } = (await findImport(scope, id)) ?? {};
  for (const each of [id, reading ?? id, task?.undoing ?? id]) {
    if (await deletePieces(scope, each, piecesPerTransaction)) return true;
  }
  await settleImport(scope, id);
  await deleteImport(scope, id);
  return true;
}
