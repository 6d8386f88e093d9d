// Prints the result of an import of campaigns.

import { pluralize } from "../../campaign/pluralize.ts";
import { type Output, printable, printResult } from "../output.ts";
import { type ImportTotal, maxErrorsShown } from "./import-total.ts";

export function printImportedCampaigns(
  output: Output,
  { dryRun }: { dryRun: boolean },
  { outcomes, errors, errorCount, warnings }: ImportTotal,
): void {
  const sentences = warnings.sentences();
  for (const error of errors.slice(0, maxErrorsShown)) output.stderr.write(`${printable(error)}\n`);
  if (errorCount > maxErrorsShown) output.stderr.write(`… and ${errorCount - maxErrorsShown} more\n`);
  if (!output.json) {
    for (const warning of sentences) output.stderr.write(`warning: ${printable(warning)}\n`);
  }
  if (errorCount > 0) {
    output.stderr.write(`error: ${pluralize(errorCount, "error")}; a file with errors is not imported\n`);
  }
  const { added, changed, unchanged } = outcomes;
  const verb = dryRun ? "Validated, nothing written" : "Imported";
  printResult(
    output,
    { added, changed, unchanged, warnings: sentences },
    `${verb}: ${added} added, ${changed} changed, ${unchanged} unchanged.`,
  );
}
