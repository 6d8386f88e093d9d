// Prints the result of an import of campaigns.

import { pluralize } from "../../campaign/pluralize.ts";
import { type Output, printable, printResult } from "../output.ts";
import { type ImportTotal, maxErrorsShown } from "./import-total.ts";

export function printImportedCampaigns(
  output: Output,
  { dryRun }: { dryRun: boolean },
  total: ImportTotal,
): void {
  printNotices(output, total, "a file with errors is not imported");
  const verb = dryRun ? "Validated, nothing written" : "Imported";
  const warnings = total.warnings.sentences();
  printResult(output, { ...total.outcomes, warnings }, `${verb}: ${describeOutcomes(total)}.`);
}

/** Prints errors and warnings. @param consequence of errors */
export function printNotices(
  output: Output,
  { errors, errorCount, warnings }: ImportTotal,
  consequence: string,
): void {
  for (const error of errors.slice(0, maxErrorsShown)) output.stderr.write(`${printable(error)}\n`);
  if (errorCount > maxErrorsShown) output.stderr.write(`… and ${errorCount - maxErrorsShown} more\n`);
  if (!output.json) {
    for (const warning of warnings.sentences()) output.stderr.write(`warning: ${printable(warning)}\n`);
  }
  if (errorCount > 0) output.stderr.write(`error: ${pluralize(errorCount, "error")}; ${consequence}\n`);
}

/** `1 added, 2 changed, 3 unchanged`. */
export function describeOutcomes({ outcomes }: ImportTotal): string {
  const { added, changed, unchanged } = outcomes;
  return `${added} added, ${changed} changed, ${unchanged} unchanged`;
}
