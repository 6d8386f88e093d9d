// Saves the records of one input, and collects errors, warnings and counts.

import type { Queries } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import type { ImportNotices } from "../campaigns/save-reported-campaigns.ts";
import { CampaignBatch } from "./campaign-batch.ts";
import type { FileEntry } from "./file-entry.ts";
import type { FileResult } from "./import-total.ts";
import { parseEntries, repeatedProblem } from "./parse-entries.ts";

/** Saves the valid records even if others have errors, so that a repeated ID is compared with the record before it. */
export async function saveEntries(
  queries: Queries,
  organization: Organization,
  entries: AsyncIterable<FileEntry>,
  { now, result, changed }: { now: number; result: FileResult; changed?: ImportNotices["changed"] },
): Promise<void> {
  const batch = new CampaignBatch(queries, organization, now, result, changed);
  for await (const { reported, where, position } of parseEntries(entries, organization.timeZone, result)) {
    const earlier = await batch.add(reported, where, position);
    if (earlier !== undefined) result.addError(where, repeatedProblem(reported.campaign.id, earlier));
  }
  await batch.save();
}
