// What a reader thread makes of a file that waits: rows that the import saves, beside the file.

import { AppError } from "../../errors.ts";
import type { Database, Queries } from "../../storage/database.ts";
import { addPiece, deletePieces } from "../../storage/imports/import-pieces.ts";
import { findImport, type StoredImport, saveImport } from "../../storage/imports/imports.ts";
import { lockOrganization, type Organization } from "../../storage/organizations.ts";
import { newRandomId } from "../../storage/revisions.ts";
import type { ParsedEntry } from "./parse-entries.ts";
import { unpackPiece } from "./pieces.ts";
import { piecesPerTransaction, readPieces } from "./upload.ts";

/** What a file is read with, on which its rows depend. @param choices the query of the mapping form */
export function choicesKey(choices: string, { timeZone }: Organization): string {
  return JSON.stringify([choices, timeZone]);
}

/** A reading of a file that waits: its rows replace those of the reading before. */
export class FileReading {
  readonly #database: Database;
  readonly #organizationId: number;
  readonly #importId: number;
  readonly #id = newRandomId();
  #pieces = 0;

  constructor(database: Database, organizationId: number, importId: number) {
    this.#database = database;
    this.#organizationId = organizationId;
    this.#importId = importId;
  }

  /** @throws AppError `conflict` if the file does not wait */
  async start(): Promise<void> {
    const change = { reading: this.#id, choices: null };
    const before = await this.#transaction(async (queries, { reading }) => {
      await saveImport(queries, this.#organizationId, this.#importId, change);
      return reading;
    });
    if (before === null) return;
    const deleteSome = (queries: Queries) =>
      deletePieces(queries, this.#organizationId, before, piecesPerTransaction);
    while (await this.#transaction(deleteSome));
  }

  /** Unless another reading has started. */
  async addRows(content: Buffer): Promise<void> {
    await this.#transaction(async (queries, { reading }) => {
      const piece = { importId: this.#id, position: this.#pieces, content };
      if (reading === this.#id) await addPiece(queries, this.#organizationId, piece);
    });
    this.#pieces += 1;
  }

  /** @param change `choices` if the rows are those of the whole file @throws as {@link start} */
  async finish(change: { choices: string } | { state: "unreadable" }): Promise<void> {
    await this.#transaction(async (queries, { reading }) => {
      if (reading === this.#id) await saveImport(queries, this.#organizationId, this.#importId, change);
    });
  }

  #transaction<Result>(work: (queries: Queries, found: StoredImport) => Promise<Result>): Promise<Result> {
    return this.#database.transaction(async (queries) => {
      await lockOrganization(queries, this.#organizationId);
      const found = await findImport(queries, this.#organizationId, this.#importId);
      if (found?.state !== "waiting") throw new AppError("conflict");
      return work(queries, found);
    });
  }
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
