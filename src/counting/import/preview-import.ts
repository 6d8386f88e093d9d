// Reads an uploaded file in a reader thread: what an import would do, and the rows that it will save.

import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import { findMappings } from "../../storage/imports/import-mappings.ts";
import { findPiece } from "../../storage/imports/import-pieces.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import type { Database } from "../../storage/queries/database.ts";
import { type ReadFile, TooCostlyFile } from "./file-readers.ts";
import type { PreparedFile } from "./prepare-campaigns.ts";
import { choicesKey, type FileReading, startReading } from "./reading.ts";
import { countedProblem } from "./save-entries.ts";
import { readPieces } from "./upload.ts";

export interface ImportPreview extends PreparedFile {
  /** How many campaigns are valid. Each id counts once. */
  campaigns: number;
  /** How many of them replace a stored campaign with the same id. */
  replaced: number;
}

/**
 * @param request.choices the query of the mapping form
 * @param request.signal stops the reading
 * @throws AppError `conflict` if the file does not wait; as {@link ReadFile}, and then the file waits no more
 */
export async function previewImport(
  { database, readFile }: { database: Database; readFile: ReadFile },
  organization: Organization,
  { id, choices, signal }: { id: number; choices: string; signal: AbortSignal },
): Promise<ImportPreview> {
  const { id: organizationId, timeZone } = organization;
  const bytes = readPieces((position) =>
    database.queryOf(organizationId, (scope) => findPiece(scope, id, position)),
  );
  const saved = await database.queryOf(organizationId, findMappings);
  const task = { name: "campaigns", choices, timeZone, saved } as const;
  let reading: FileReading | undefined;
  // Starts the reading when it is the organization's turn, because that replaces the rows of the last one.
  const started = async () => {
    reading ??= await startReading(database, organizationId, id);
    return reading;
  };
  let [campaigns, replaced] = [0, 0];
  const counted: string[] = [];
  let file: PreparedFile | undefined;
  try {
    for await (const part of readFile(task, { bytes, organizationId, signal })) {
      if ("file" in part) {
        file = part.file;
        continue;
      }
      const places = new Map(part.places);
      campaigns += places.size;
      const stored = await database.queryOf(organizationId, (scope) =>
        findCampaigns(scope, [...places.keys()]),
      );
      replaced += stored.length;
      for (const { campaign, counting } of stored) {
        if (counting) counted.push(`${places.get(campaign.id)}: ${countedProblem(campaign.id)}`);
      }
      if (part.rows) await (await started()).addRows(Buffer.from(part.rows));
    }
  } catch (error) {
    if (error instanceof TooCostlyFile) await (await started()).finish({ state: "unreadable" });
    throw error;
  }
  if (!file) throw new Error("the reader thread found no file");
  file.errors.push(...counted);
  file.errorCount += counted.length;
  if (file.errorCount === 0 && file.choices.repeated === undefined) {
    await (await started()).finish({ choices: choicesKey(file.choices.query, organization) });
  }
  return { ...file, campaigns, replaced };
}
