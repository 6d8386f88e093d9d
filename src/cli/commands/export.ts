// The command `export`: all records of an organization, such that an import of them loses nothing.

import { toNullableRecord } from "../../campaign/email-record.ts";
import { metricsOf } from "../../campaign/metrics.ts";
import { readAllCampaigns } from "../../listing/timeline/read-all.ts";
import type { Database } from "../../storage/database.ts";
import { csvHeader, csvLine, formatTags } from "../files/campaign-csv.ts";
import type { Output } from "../output.ts";
import { needOrganization } from "../shell.ts";

export const exportFormats = ["ndjson", "csv"] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** `sent_at` is ISO-8601 with milliseconds, and a missing value stays missing (null in NDJSON, nothing in CSV). */
export async function exportCampaigns(
  database: Database,
  output: Output,
  { organizationId, format }: { organizationId: number; format: ExportFormat },
): Promise<void> {
  await database.snapshot(async (queries) => {
    const { countedTraffic } = await needOrganization(queries, organizationId);
    if (format === "csv") await write(output, csvHeader);
    for await (const { campaign, tags, numbers } of readAllCampaigns(queries, organizationId)) {
      const metrics = metricsOf(numbers, campaign.recipientCount, countedTraffic);
      const stored = toNullableRecord(campaign, tags, metrics);
      const record = { ...stored, sent_at: new Date(stored.sent_at).toISOString() };
      await write(
        output,
        format === "ndjson"
          ? `${JSON.stringify(record)}\n`
          : csvLine(Object.values({ ...record, tags: formatTags(record.tags) })),
      );
    }
    // What was printed cannot be taken back.
  }, "never");
}

/** Waits for a slow reader; a reader that has gone (`| head`) is the caller's to handle. */
async function write({ stdout }: Output, text: string): Promise<void> {
  if (!stdout.write(text)) await new Promise<void>((resolve) => stdout.once("drain", resolve));
}
