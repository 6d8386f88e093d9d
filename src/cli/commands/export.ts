// The command `export`: prints all records of an organization, so that `import` restores them without loss.

import { type Command, Option } from "commander";
import { toNullableRecord } from "../../campaign/email-record.ts";
import { emailRecordFieldNames } from "../../campaign/email-record-schema.ts";
import { metricsOf } from "../../campaign/metrics.ts";
import { csvLine, escapeFormula, formatTags } from "../../formats/csv.ts";
import { readAllCampaigns } from "../../listing/timeline/read-all-campaigns.ts";
import type { Database } from "../../storage/database.ts";
import { organizationOption } from "../options.ts";
import type { Output } from "../output.ts";
import { outputOf, requireOrganization, type Shell, withDatabase } from "../shell.ts";

const formats = ["ndjson", "csv"] as const;

interface ExportOptions {
  organization: number;
  format: (typeof formats)[number];
  escapeFormulas?: boolean;
}

export function addExportCommand(command: Command, shell: Shell): void {
  command
    .description("Print all records of an organization, in a form that import reads without loss")
    .requiredOption(...organizationOption)
    .addOption(new Option("--format <FORMAT>", "output format").choices(formats).default("ndjson"))
    .option(
      "--escape-formulas",
      "for CSV that people open in a spreadsheet: put ' before text that starts with =, +, -, @, a tab or a line break, which could run as a formula. import does not remove it.",
    )
    .action(async (options: ExportOptions, running: Command) => {
      if (options.escapeFormulas && options.format !== "csv") {
        running.error("error: --escape-formulas needs --format csv");
      }
      await withDatabase(shell, (database) => printRecords(database, outputOf(shell, running), options));
    });
}

/** `sent_at` is ISO 8601 with milliseconds. A missing value stays missing: null in NDJSON, an empty cell in CSV. */
async function printRecords(
  database: Database,
  output: Output,
  { organization: organizationId, format, escapeFormulas = false }: ExportOptions,
): Promise<void> {
  await database.snapshot(async (queries) => {
    const { countedTraffic } = await requireOrganization(queries, organizationId);
    if (format === "csv") await write(output, csvLine(emailRecordFieldNames));
    for await (const { campaign, tags, numbers } of readAllCampaigns(queries, organizationId)) {
      const metrics = metricsOf(numbers, campaign.recipientCount, countedTraffic);
      const stored = toNullableRecord(campaign, tags, metrics);
      const record = { ...stored, sent_at: new Date(stored.sent_at).toISOString() };
      await write(
        output,
        format === "ndjson"
          ? `${JSON.stringify(record)}\n`
          : csvRecord({ ...record, tags: formatTags(record.tags) }, escapeFormulas),
      );
    }
    // A retry would print the records twice.
  }, "never");
}

function csvRecord(record: object, escapesFormulas: boolean): string {
  const cells = Object.values(record);
  return csvLine(escapesFormulas ? cells.map(escapeFormula) : cells);
}

/** Waits for a slow reader. */
async function write({ stdout }: Output, text: string): Promise<void> {
  if (!stdout.write(text)) await new Promise<void>((resolve) => stdout.once("drain", resolve));
}
