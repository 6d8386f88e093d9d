// Reads an uploaded file in a reader thread: what an import would do, and the rows that it will save.

import type { Campaign } from "../../campaign/campaign.ts";
import type { ImportField, ReportedCampaign } from "../../campaign/reported-campaign.ts";
import { findMappings } from "../../storage/imports/import-mappings.ts";
import { findPiece } from "../../storage/imports/import-pieces.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import { findTagsByName } from "../../storage/organizations/tags.ts";
import type { Database } from "../../storage/queries/database.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { assignIds, type Identified, isOtherCampaign } from "../campaigns/assign-ids.ts";
import { changedFields } from "../campaigns/save-reported-campaigns.ts";
import { type ReadFile, TooCostlyFile } from "./file-readers.ts";
import type { PreparedFile } from "./prepare-campaigns.ts";
import { choicesKey, type FileReading, startReading } from "./reading.ts";
import { countedProblem } from "./save-entries.ts";

export interface ImportPreview extends PreparedFile {
  /** How many campaigns are valid. Each id counts once. */
  campaigns: number;
  /** How many of them are here already. */
  known: number;
  /** Those that would replace a campaign that seems to be another, which has their id; and the first of them. */
  others: number;
  firstOthers: { before: Campaign; after: Identified["campaign"] }[];
  /** How many get an id of their own, because a campaign of another tool has theirs. */
  renumbered: number;
  /** What an import would do with each of the `first`. */
  steps: ImportStep[];
}

/** The status of a record, and the fields that it would change; those that a person has set stay. */
interface ImportStep {
  status: "added" | "changed" | "unchanged" | "other";
  changed: ImportField[];
}

const maxOthers = 10;

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
  const bytes = readPieces(database, organizationId, id);
  const saved = await database.queryOf(organizationId, findMappings);
  const task = { name: "campaigns", choices, timeZone, saved } as const;
  let reading: FileReading | undefined;
  // Starts the reading when it is the organization's turn, because that replaces the rows of the last one.
  const started = async () => {
    reading ??= await startReading(database, organizationId, id);
    return reading;
  };
  const found = { campaigns: 0, known: 0, others: 0, renumbered: 0 };
  const firstOthers: ImportPreview["firstOthers"] = [];
  const counted: string[] = [];
  let file: PreparedFile | undefined;
  try {
    for await (const part of readFile(task, { bytes, organizationId, signal })) {
      if ("file" in part) {
        file = part.file;
        continue;
      }
      const { records, known } = await database.queryOf(organizationId, (scope) =>
        assignIds(scope, part.places),
      );
      for (const [index, { campaign, where }] of records.entries()) {
        found.campaigns += 1;
        if (campaign.id !== part.places[index]?.campaign.id) found.renumbered += 1;
        const stored = known.get(campaign.id);
        if (!stored) continue;
        if (stored.counting) counted.push(`${where}: ${countedProblem(campaign.id)}`);
        found.known += 1;
        if (!isOtherCampaign(stored, campaign)) continue;
        found.others += 1;
        if (firstOthers.length < maxOthers) firstOthers.push({ before: stored.campaign, after: campaign });
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
  const { first } = file;
  const steps = await database.queryOf(organizationId, (scope) => findSteps(scope, first));
  return { ...file, ...found, firstOthers, steps };
}

/** The pieces of a file, as they are stored. Memory holds one at a time. */
async function* readPieces(
  database: Database,
  organizationId: number,
  id: number,
): AsyncGenerator<Uint8Array> {
  for (let position = 0; ; position += 1) {
    const from = position;
    const piece = await database.queryOf(organizationId, (scope) => findPiece(scope, id, from));
    if (!piece) return;
    position = piece.position;
    yield piece.content;
  }
}

async function findSteps(scope: Scope, reported: readonly ReportedCampaign[]): Promise<ImportStep[]> {
  const { records, known } = await assignIds(scope, reported);
  const tags = await findTagsByName(scope, true);
  return records.map((each) => {
    const stored = known.get(each.campaign.id);
    if (!stored) return { status: "added", changed: [] };
    const changed = changedFields(stored, each, tags);
    if (isOtherCampaign(stored, each.campaign)) return { status: "other", changed };
    return { status: changed.length > 0 ? "changed" : "unchanged", changed };
  });
}
