// Saves the records of one input, and collects errors, warnings and counts.

import type { Organization } from "../../storage/organizations/organizations.ts";
import { asyncChunks } from "../../storage/queries/database.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import {
  type ImportNotices,
  type SaveStatus,
  saveReportedCampaigns,
} from "../campaigns/save-reported-campaigns.ts";
import type { FileResult } from "./import-total.ts";
import type { FileEntry } from "./mapping/file-entry.ts";
import { type ParsedEntry, parseEntries } from "./parse-entries.ts";

interface SaveEntriesOptions {
  now: number;
  result: FileResult;
  saved?: ImportNotices["saved"];
}

/** Saves the valid records even if others have errors, so that all errors are found. */
export function saveEntries(
  scope: Scope,
  organization: Organization,
  entries: AsyncIterable<FileEntry>,
  options: SaveEntriesOptions,
): Promise<void> {
  const parsed = asyncChunks(parseEntries(entries, organization.timeZone, options.result));
  return saveRows(scope, organization, parsed, options);
}

export async function saveRows(
  scope: Scope,
  organization: Organization,
  rows: AsyncIterable<readonly ParsedEntry[]>,
  { now, result, saved }: SaveEntriesOptions,
): Promise<void> {
  const notices: ImportNotices = {
    uncolored: new Set(),
    saved,
    emptied: (fields) => result.warnings.addEmptied(fields),
  };
  for await (const some of rows) {
    const reported = some.map((each) => each.reported);
    const statuses = await saveReportedCampaigns(scope, organization, reported, now, notices);
    for (const [index, { where, reported }] of some.entries()) {
      const status = statuses[index] as SaveStatus;
      if (status === "counted") result.addError(where, countedProblem(reported.campaign.id));
      else result.outcomes[status] += 1;
    }
  }
}

export function countedProblem(id: number): string {
  return `id: the numbers of campaign ${id} are counted from events; an import cannot replace them`;
}
