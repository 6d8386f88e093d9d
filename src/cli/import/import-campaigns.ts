// Imports files of campaigns with their final numbers.

import { basename } from "node:path";
import { setFlagsFromString } from "node:v8";
import { readCampaignFile } from "../../counting/import/files/campaign-file.ts";
import { FileResult, ImportTotal } from "../../counting/import/import-total.ts";
import { describeMapping } from "../../counting/import/mapping/describe-mapping.ts";
import { hasOwnForm, type MappingChoice } from "../../counting/import/mapping/mapping.ts";
import { ignoreRollback, Rollback } from "../../counting/import/rollback.ts";
import { saveEntries } from "../../counting/import/save-entries.ts";
import type { Database } from "../../storage/queries/database.ts";
import type { Scope } from "../../storage/queries/scope.ts";
import type { InputFile } from "../files/input-file.ts";
import type { Output } from "../shell/output.ts";
import { progressBar } from "../shell/progress-bar.ts";
import { recordCommand, requireOrganizationForUpdate } from "../shell/shell.ts";
import { printImportedCampaigns } from "./print-imported-campaigns.ts";

export interface ImportCampaignsOptions {
  organization: number;
  /** How columns of CSV files are mapped. */
  map?: MappingChoice["columns"];
  dateOrder?: MappingChoice["dateOrder"];
  rates?: MappingChoice["rates"];
  dryRun?: boolean;
  /** Whether to list all warnings. */
  verbose?: boolean;
}

/**
 * Writes each file completely or not at all. After a file with errors, the others are only validated, so that all errors
 * are reported at once. A dry run does the same in one transaction that is rolled back.
 *
 * @returns the exit code
 */
export async function importCampaigns(
  database: Database,
  output: Output,
  files: readonly InputFile[],
  options: ImportCampaignsOptions & { now: () => number },
): Promise<number> {
  collectGarbageEarly();
  const total = new ImportTotal();
  const importInto = (transaction: Transaction) => importFiles(files, transaction, output, options, total);
  // The transaction is never retried, because the input can be read only once.
  const write: Transaction = (work) => database.transactionOf(options.organization, work, "never");
  if (!options.dryRun) await importInto(write);
  else {
    const dryRun = write(async (scope) => {
      await importInto((work) => work(scope));
      throw new Rollback();
    });
    await dryRun.catch(ignoreRollback);
  }
  const hint = total.needsDateOrder ? "; --date-order chooses the order of dates" : "";
  const consequence = `a file with errors is not imported${hint}`;
  printImportedCampaigns(output, options, total, { verb: "Imported", consequence });
  return total.errorCount > 0 ? 1 : 0;
}

type Transaction = (work: (scope: Scope) => Promise<void>) => Promise<void>;

async function importFiles(
  files: readonly InputFile[],
  transaction: Transaction,
  output: Output,
  options: Parameters<typeof importCampaigns>[3],
  total: ImportTotal,
): Promise<void> {
  for (const file of files) {
    const onlyValidates = total.errorCount > 0;
    const bar = progressBar(output);
    const result = new FileResult(total.warnings);
    try {
      const saving = transaction(async (scope) => {
        await saveFile(scope, options, { name: file.name, bytes: file.bytes(bar) }, result);
        if (result.errorCount > 0 || onlyValidates) throw new Rollback();
      });
      await saving.catch(ignoreRollback);
    } finally {
      bar.clear();
    }
    total.add(result, files.length > 1 ? `${file.name}: ` : "");
    if (onlyValidates && result.errorCount === 0) {
      total.warnings.addNotice(`${file.name}: only validated, because an earlier file has errors`);
    }
  }
}

async function saveFile(
  scope: Scope,
  { now, map, dateOrder, rates }: Parameters<typeof importCampaigns>[3],
  { name, bytes }: { name: string; bytes: AsyncIterable<Uint8Array> },
  result: FileResult,
): Promise<void> {
  const organization = await requireOrganizationForUpdate(scope);
  const choice = { columns: map, dateOrder, rates, timeZone: organization.timeZone };
  const entries = readCampaignFile(bytes, () => choice, {
    onMapping: (mapped, header) => {
      if (!hasOwnForm(header)) result.warnings.addNotice(describeMapping(mapped, header));
    },
    onNotice: (notice) => result.warnings.addNotice(notice),
  });
  await saveEntries(scope, organization, entries, { now: now(), result });
  await recordCommand(scope, { now }, "campaigns.import", basename(name));
}

/** By default V8 lets the heap grow to several times the live data, which other programs need more than an import. */
function collectGarbageEarly(): void {
  setFlagsFromString("--heap-growing-percent=50");
  setFlagsFromString("--semi-space-growth-factor=1");
}
