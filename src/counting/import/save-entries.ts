// Saves the records of one input: validates each, and collects errors, warnings and counts.

import { contradictedRates } from "../../campaign/campaign-rates.ts";
import { parseReportedCampaign } from "../../campaign/reported-campaign.ts";
import type { Queries } from "../../storage/database.ts";
import type { Organization } from "../../storage/organizations.ts";
import { CampaignBatch } from "./campaign-batch.ts";
import type { FileEntry } from "./file-entry.ts";
import { isGeneratedId } from "./generated-id.ts";
import type { FileResult } from "./import-total.ts";
import { placeOf } from "./map-row.ts";

/** Saves the valid records even if others have errors, so that a repeated ID is compared with the record before it. */
export async function saveEntries(
  queries: Queries,
  organization: Organization,
  entries: AsyncIterable<FileEntry>,
  { now, result }: { now: number; result: FileResult },
): Promise<void> {
  const batch = new CampaignBatch(queries, organization, now, result);
  let position = 0;
  for await (const entry of entries) {
    position += 1;
    if ("problem" in entry) {
      result.addError(entry.where, entry.problem);
      continue;
    }
    const reading = parseReportedCampaign(entry.record, organization.timeZone);
    for (const { field, problem } of reading.errors) {
      result.addError(placeOf(entry.where, entry.columns ?? {}, field), `${field}: ${problem}`);
    }
    result.warnings.add(reading);
    if (!reading.reported) continue;
    const { campaign, metrics } = reading.reported;
    const { id } = campaign;
    const contradicted = contradictedRates(campaign, metrics);
    result.warnings.addContradictedRates(
      // A percentage in the place of a fraction has a warning of its own.
      contradicted.filter((name) => !reading.tooLargeRates.includes(name)),
      id,
    );
    const earlier = await batch.add(reading.reported, entry.where, position);
    if (earlier !== undefined) {
      const problem = isGeneratedId(id)
        ? `has the same send time, subject and recipient groups as record ${earlier} of the file, or the same id; map a column to id that tells them apart`
        : `id: ${id} has different content in record ${earlier} of the file`;
      result.addError(entry.where, problem);
    }
  }
  await batch.save();
}
