// What a reader thread makes of a file that waits: rows that the import saves, beside the file.

import { AppError } from "../../errors.ts";
import { addPiece, deletePieces } from "../../storage/imports/import-pieces.ts";
import { findImport, type StoredImport, saveImport } from "../../storage/imports/imports.ts";
import { lockOrganization, type Organization } from "../../storage/organizations/organizations.ts";
import { newRandomId } from "../../storage/organizations/revisions.ts";
import type { Database, Queries } from "../../storage/queries/database.ts";
import type { ParsedEntry } from "./parse-entries.ts";
import { unpackPiece } from "./pieces.ts";
import { piecesPerTransaction, readPieces } from "./upload.ts";

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
  const transaction = <Result>(work: (queries: Queries, found: StoredImport) => Promise<Result>) =>
    database.transaction(async (queries) => {
      await lockOrganization(queries, organizationId);
      const found = await findImport(queries, organizationId, importId);
      if (found?.state !== "waiting") throw new AppError("conflict");
      return work(queries, found);
    });
  const ifNewest = (work: (queries: Queries) => Promise<void>) =>
    transaction(async (queries, { reading }) => {
      if (reading === id) await work(queries);
    });
  const before = await transaction(async (queries, { reading }) => {
    await saveImport(queries, organizationId, importId, { reading: id, choices: null });
    return reading ?? id;
  });
  while (await transaction((queries) => deletePieces(queries, organizationId, before, piecesPerTransaction)));
  return {
    addRows: (content) =>
      ifNewest((queries) =>
        addPiece(queries, organizationId, { importId: id, position: position++, content }),
      ),
    finish: (change) => ifNewest((queries) => saveImport(queries, organizationId, importId, change)),
  };
}

/** The campaigns of a reading. */
export async function* readRows(
  queries: Queries,
  organizationId: number,
  reading: number,
): AsyncGenerator<ParsedEntry[]> {
  for await (const piece of readPieces(queries, organizationId, reading)) {
    yield JSON.parse(String(await unpackPiece(piece)));
  }
}
