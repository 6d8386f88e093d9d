// What a reader thread makes of a file that waits: rows that the import saves, beside the file.

import { AppError } from "../../errors.ts";
import { addPiece, deletePieces } from "../../storage/imports/import-pieces.ts";
import { findImport, type StoredImport, saveImport } from "../../storage/imports/imports.ts";
import { lockOrganization, type Organization } from "../../storage/organizations/organizations.ts";
import { newRandomId } from "../../storage/organizations/revisions.ts";
import type { Database } from "../../storage/queries/database.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { piecesPerTransaction } from "./upload.ts";

/** What a file is read with, on which its rows depend. @param choices the query of the mapping form */
export function choicesKey(choices: string, { timeZone }: Organization): string {
  return JSON.stringify([choices, timeZone]);
}

/** What a reading stores, unless another one of the same file has started. */
export interface FileReading {
  addRows(content: Buffer): Promise<void>;
  /** @param change `choices` if the rows are those of the whole file */
  finish(change: { choices: string } | { state: "unreadable" }): Promise<void>;
}

/**
 * Starts a reading of a file. Its rows replace those of the reading before.
 *
 * @throws AppError `conflict` if the file does not wait, also later
 */
export async function startReading(
  database: Database,
  organizationId: number,
  importId: number,
): Promise<FileReading> {
  const id = newRandomId();
  let position = 0;
  const transaction = <Result>(work: (scope: Scope, upload: StoredImport) => Promise<Result>) =>
    database.transactionOf(organizationId, async (scope) => {
      await lockOrganization(scope);
      const upload = await findImport(scope, importId);
      if (upload?.state !== "waiting") throw new AppError("conflict");
      return work(scope, upload);
    });
  const ifNewest = (work: (scope: Scope) => Promise<void>) =>
    transaction(async (scope, { reading }) => {
      if (reading === id) await work(scope);
    });
  const before = await transaction(async (scope, { reading }) => {
    await saveImport(scope, importId, { reading: id, choices: null });
    return reading ?? id;
  });
  while (await transaction((scope) => deletePieces(scope, before, piecesPerTransaction)));
  return {
    addRows: (content) =>
      ifNewest((scope) => addPiece(scope, { importId: id, position: position++, content })),
    finish: (change) => ifNewest((scope) => saveImport(scope, importId, change)),
  };
}
