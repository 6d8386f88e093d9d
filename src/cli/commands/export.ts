// The command `export`: prints all records of an organization, for `import` without loss, or as downloads have them.

import { type Command, Option } from "commander";
import { toImportRecord } from "../../campaign/email-record.ts";
import { feedTables } from "../../campaign/feed/feed-tables.ts";
import { metricsOf } from "../../campaign/metrics.ts";
import { importFieldNames } from "../../campaign/reported-campaign.ts";
import { AppError } from "../../errors.ts";
import { csvLine, escapeFormula, formatTags } from "../../formats/csv.ts";
import { fileFormats } from "../../formats/feed-files.ts";
import { readFeed } from "../../listing/feed/read-feed.ts";
import { readAllCampaigns } from "../../storage/campaigns/campaigns.ts";
import type { Organization } from "../../storage/organizations/organizations.ts";
import type { Database } from "../../storage/queries/database.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import { organizationOption } from "../shell/options.ts";
import type { Output } from "../shell/output.ts";
import {
  outputOf,
  recordCommand,
  requireOrganization,
  requireOrganizationForUpdate,
  type Shell,
  withDatabase,
} from "../shell/shell.ts";

const downloads = { "feed-ndjson": "ndjson", "feed-csv": "csv", parquet: "parquet", xlsx: "xlsx" } as const;
type DownloadName = keyof typeof downloads;
/** The first two are for `import`, the others the files of downloads. */
const formats = ["ndjson", "csv", ...(Object.keys(downloads) as DownloadName[])] as const;

interface ExportOptions {
  organization: number;
  format: (typeof formats)[number];
  escapeFormulas?: boolean;
}

export function addTo(command: Command, shell: Shell): void {
  command
    .addOption(organizationOption)
    .addOption(new Option("--format <FORMAT>", "output format").choices(formats).default("ndjson"))
    .option(
      "--escape-formulas",
      "for CSV that people open in a spreadsheet: put ' before text that starts with =, +, -, @, a tab or a line break, which could run as a formula. import does not remove it.",
    )
    .action(async (options: ExportOptions, running: Command) => {
      if (options.escapeFormulas && options.format !== "csv") {
        running.error("error: --escape-formulas needs --format csv");
      }
      const { organization: id, format } = options;
      const output = outputOf(shell, running);
      await withDatabase(shell, async (database) => {
        await recordExport(database, shell, id, format);
        // A retry would print the records twice.
        await database.snapshotOf(id, (scope) => print(scope, output, options), "never");
      });
    });
}

/** A database user or a disk that can only be read still exports: the files can be read without this program as well. */
async function recordExport(database: Database, shell: Shell, id: number, format: string): Promise<void> {
  try {
    await database.transactionOf(id, async (scope) => {
      await requireOrganizationForUpdate(scope);
      await recordCommand(scope, shell, "data.export", format);
    });
  } catch (error) {
    if (error instanceof AppError && error.code !== "unavailable") throw error;
    shell.stderr.write(`warning: the audit log does not have this export: ${(error as Error).message}\n`);
  }
}

async function print(scope: Scope, output: Output, options: ExportOptions): Promise<void> {
  const { format } = options;
  const organization = await requireOrganization(scope);
  const pieces =
    format === "ndjson" || format === "csv"
      ? recordLines(scope, organization, options)
      : // Leaves out campaigns scheduled for later, which feeds do not have yet.
        fileFormats[downloads[format]].encode(feedTables.emails, readFeed(scope, {}), organization);
  for await (const piece of pieces) await write(output, piece);
}

/** `sent_at` is ISO 8601 with milliseconds. A missing value stays missing: null in NDJSON, an empty cell in CSV. */
async function* recordLines(
  scope: Scope,
  { countedTraffic }: Organization,
  { format, escapeFormulas = false }: ExportOptions,
): AsyncGenerator<string> {
  if (format === "csv") yield csvLine(importFieldNames);
  for await (const { campaign, tags, numbers } of readAllCampaigns(scope)) {
    const metrics = metricsOf(numbers, campaign.recipientCount, countedTraffic);
    const stored = toImportRecord(campaign, tags, metrics);
    const record = { ...stored, sent_at: new Date(stored.sent_at).toISOString() };
    yield format === "ndjson"
      ? `${JSON.stringify(record)}\n`
      : csvRecord({ ...record, tags: formatTags(record.tags) }, escapeFormulas);
  }
}

function csvRecord(record: object, escapesFormulas: boolean): string {
  const cells = Object.values(record);
  return csvLine(escapesFormulas ? cells.map(escapeFormula) : cells);
}

/** Waits for a slow reader. */
async function write({ stdout }: Output, text: string | Uint8Array): Promise<void> {
  if (!stdout.write(text)) await new Promise<void>((resolve) => stdout.once("drain", resolve));
}
