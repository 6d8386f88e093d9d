// What an import of an uploaded file would do, without writing anything.

import type { ReportedCampaign } from "../../campaign/reported-campaign.ts";
import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import { chunks, type Database } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import { readCampaignFile } from "./campaign-file.ts";
import { FileResult } from "./import-total.ts";
import { Warnings } from "./import-warnings.ts";
import { limitEntries } from "./limit-entries.ts";
import type { Mapping, MappingChoice } from "./mapping.ts";
import { parseEntries } from "./parse-entries.ts";
import { countedProblem } from "./save-entries.ts";
import { readUpload } from "./upload.ts";

const maxPreviewed = 10;
/** A file with so many errors is not read further. */
const maxErrors = 1_000;

export interface ImportPreview {
  /** Undefined if the file has our own names, or cannot be mapped. */
  mapping: Mapping | undefined;
  /** The first valid campaigns. */
  first: ReportedCampaign[];
  /** How many are valid. Each id counts once. */
  campaigns: number;
  /** How many of them replace a stored campaign with the same id. */
  replaced: number;
  result: FileResult;
}

export async function previewImport(
  database: Database,
  organization: Organization,
  upload: { id: number },
  choice: MappingChoice,
): Promise<ImportPreview> {
  const result = new FileResult(new Warnings());
  const first: ReportedCampaign[] = [];
  const places = new Map<number, string>();
  let mapping: Mapping | undefined;
  const file = readCampaignFile(readUpload(database, organization.id, upload), choice, (chosen) => {
    mapping = chosen;
  });
  const entries = limitEntries(file);
  for await (const { reported, where } of parseEntries(entries, organization.timeZone, result)) {
    places.set(reported.campaign.id, where);
    if (first.length < maxPreviewed) first.push(reported);
    if (result.errorCount >= maxErrors) break;
  }
  let replaced = 0;
  for (const ids of chunks([...places.keys()])) {
    const found = await database.query((queries) => findCampaigns(queries, organization.id, ids));
    replaced += found.length;
    for (const { campaign, counting } of found) {
      if (counting) result.addError(places.get(campaign.id) ?? "file", countedProblem(campaign.id));
    }
  }
  return { mapping, first, campaigns: places.size, replaced, result };
}
