// Saves the records of one input, and collects errors, warnings and counts.

import type { Campaign } from "../../campaign/campaign.ts";
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
  uncolored?: ImportNotices["uncolored"];
  saved?: ImportNotices["saved"];
  replaces?: ImportNotices["replaces"];
  edit?: ImportNotices["edit"] | undefined;
}

/** Saves the valid records even if others have errors, so that all errors are found. */
export async function saveEntries(
  scope: Scope,
  organization: Organization,
  entries: AsyncIterable<FileEntry>,
  options: SaveEntriesOptions,
): Promise<void> {
  const uncolored = new Set<string>();
  for await (const rows of asyncChunks(parseEntries(entries, organization.timeZone, options.result)))
    await saveRows(scope, organization, rows, { uncolored, ...options });
}

export async function saveRows(
  scope: Scope,
  organization: Organization,
  rows: readonly ParsedEntry[],
  { now, result, uncolored = new Set(), ...others }: SaveEntriesOptions,
): Promise<void> {
  const emptied = (fields: string[]) => result.warnings.addEmptied(fields);
  const replaces = (before: Campaign, after: Campaign) => {
    result.warnings.addReplaced(before, after);
    return true;
  };
  const notices: ImportNotices = { uncolored, emptied, replaces, ...others };
  const campaigns = rows.map((each) => each.reported);
  const statuses = await saveReportedCampaigns(scope, organization, campaigns, now, notices);
  for (const [index, { where, reported }] of rows.entries()) {
    const status = statuses[index] as SaveStatus;
    if (status === "counted") result.addError(where, countedProblem(reported.campaign.id));
    else result.outcomes[status] += 1;
  }
}

export function countedProblem(id: number): string {
  return `id: the numbers of campaign ${id} are counted from events; an import cannot replace them`;
}
