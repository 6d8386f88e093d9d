// Validates the records of one input, and collects errors and warnings.

import { createHash } from "node:crypto";
import { contradictedRates } from "../../campaign/campaign-rates.ts";
import { quote } from "../../campaign/fields/quote.ts";
import {
  impossibleCounts,
  parseReportedCampaign,
  type ReportedCampaign,
} from "../../campaign/reported-campaign.ts";
import type { FileResult } from "./import-total.ts";
import type { FileEntry } from "./mapping/file-entry.ts";
import { isGeneratedId } from "./mapping/generated-id.ts";
import { placeOf } from "./mapping/map-row.ts";

export interface ParsedEntry {
  reported: ReportedCampaign;
  where: string;
}

/** The valid records. One with the id of a record before it is left out, and an error if its content is another. */
export async function* parseEntries(
  entries: AsyncIterable<FileEntry>,
  timeZone: string,
  result: FileResult,
): AsyncGenerator<ParsedEntry> {
  /** The first record with each id: about 85 bytes, because there may be a hundred thousand. */
  const known = new Map<number, { position: number; digest: number }>();
  let position = 0;
  for await (const entry of entries) {
    position += 1;
    if ("problem" in entry) {
      result.addError(entry.where, entry.problem);
      if (entry.needsDateOrder) result.needsDateOrder = true;
      continue;
    }
    const reading = parseReportedCampaign(entry.record, timeZone);
    for (const { field, problem } of reading.errors) {
      const place = placeOf(entry.where, entry.columns ?? {}, field);
      result.addError(place, place === entry.where ? `${field}: ${problem}` : problem);
    }
    result.warnings.add(reading);
    if (!reading.reported) continue;
    const { campaign, metrics } = reading.reported;
    const impossible = entry.isForeign ? impossibleCounts(reading.reported) : [];
    for (const problem of impossible) result.addError(`${entry.where}, ${quote(campaign.subject)}`, problem);
    if (impossible.length > 0) continue;
    const contradicted = contradictedRates(campaign, metrics);
    result.warnings.addContradictedRates(
      // A percentage in the place of a fraction has a warning of its own.
      contradicted.filter((name) => !reading.tooLargeRates.includes(name)),
      campaign,
    );
    const digest = digestOf(reading.reported);
    const earlier = known.get(campaign.id);
    if (!earlier) {
      known.set(campaign.id, { position, digest });
      yield { reported: { ...reading.reported, origin: entry.origin }, where: entry.where };
    } else if (earlier.digest !== digest) {
      result.addError(entry.where, repeatedProblem(campaign.id, earlier.position));
    } else result.warnings.repeated += 1;
  }
}

/** Hashes everything but the colors of tags. The hash is a number, because there may be millions. */
function digestOf({ campaign, metrics, tags }: ReportedCampaign): number {
  const content = [campaign, metrics, tags.map(({ name }) => name).sort()];
  return createHash("sha256").update(JSON.stringify(content)).digest().readUIntBE(0, 6);
}

/** @param earlier the position of the other record */
function repeatedProblem(id: number, earlier: number): string {
  return isGeneratedId(id)
    ? `has the same send time, subject and recipient groups as record ${earlier} of the file, or the same id; map a column to id that tells them apart`
    : `id: ${id} has different content in record ${earlier} of the file`;
}
