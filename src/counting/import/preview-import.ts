// What an import of an uploaded file would do, without writing anything.

import { createHash } from "node:crypto";
import type { ReportedCampaign } from "../../campaign/reported-campaign.ts";
import { findCampaigns } from "../../storage/campaigns/campaigns.ts";
import { chunks, type Database } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import { countedProblem } from "./campaign-batch.ts";
import { readCampaignFile } from "./campaign-file.ts";
import { FileResult } from "./import-total.ts";
import { Warnings } from "./import-warnings.ts";
import { limitEntries } from "./limit-entries.ts";
import type { Mapping, MappingChoice } from "./mapping.ts";
import { parseEntries, repeatedProblem } from "./parse-entries.ts";
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
  const known = new Map<number, { position: number; where: string; digest: string }>();
  let mapping: Mapping | undefined;
  const file = readCampaignFile(readUpload(database, organization.id, upload), choice, (chosen) => {
    mapping = chosen;
  });
  const entries = limitEntries(file);
  for await (const { reported, where, position } of parseEntries(entries, organization.timeZone, result)) {
    const { id } = reported.campaign;
    const digest = digestOf(reported);
    const earlier = known.get(id);
    if (!earlier) known.set(id, { position, where, digest });
    else if (earlier.digest !== digest) result.addError(where, repeatedProblem(id, earlier.position));
    if (first.length < maxPreviewed && !earlier) first.push(reported);
    if (result.errorCount >= maxErrors) break;
  }
  let replaced = 0;
  for (const ids of chunks([...known.keys()])) {
    const found = await database.query((queries) => findCampaigns(queries, organization.id, ids));
    replaced += found.length;
    for (const { campaign, counting } of found) {
      if (counting) result.addError(known.get(campaign.id)?.where ?? "file", countedProblem(campaign.id));
    }
  }
  return { mapping, first, campaigns: known.size, replaced, result };
}

function digestOf(reported: ReportedCampaign): string {
  return createHash("sha256").update(JSON.stringify(reported)).digest("base64url");
}
