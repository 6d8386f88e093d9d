// Prints the result of an import of campaigns.

import { pluralize } from "../../campaign/fields/pluralize.ts";
import { type ImportTotal, maxErrorsShown } from "../../counting/import/import-total.ts";
import { type Output, printable, printResult } from "../shell/output.ts";

export function printImportedCampaigns(
  output: Output,
  { dryRun, verbose }: { dryRun: boolean; verbose: boolean },
  total: ImportTotal,
): void {
  const hint = total.needsDateOrder ? "; --date-order chooses the order of dates" : "";
  printErrors(output, total, `a file with errors is not imported${hint}`);
  const verb = dryRun ? "Validated, nothing written" : "Imported";
  const warnings = total.warnings.sentences();
  printResult(output, { ...total.outcomes, warnings }, `${verb}: ${describeOutcomes(total)}.`);
  printWarnings(output, total, verbose);
}

/** @param consequence of the errors */
export function printErrors(output: Output, { errors, errorCount }: ImportTotal, consequence: string): void {
  for (const error of errors.slice(0, maxErrorsShown)) output.stderr.write(`${printable(error)}\n`);
  if (errorCount > maxErrorsShown) output.stderr.write(`… and ${errorCount - maxErrorsShown} more\n`);
  if (errorCount > 0) output.stderr.write(`error: ${pluralize(errorCount, "error")}; ${consequence}\n`);
}

/** Prints one line, or each warning. With `--json`, the result has them. */
export function printWarnings(output: Output, { warnings }: ImportTotal, verbose: boolean): void {
  if (output.json) return;
  const all = warnings.sentences();
  const [first = "", ...others] = all;
  const shown = verbose || others.length === 0 ? all : [`${first}; --verbose lists ${others.length} more`];
  for (const warning of shown) output.stderr.write(`warning: ${printable(warning)}\n`);
}

/** `1 added, 2 changed, 3 unchanged`. */
export function describeOutcomes({ outcomes }: ImportTotal): string {
  const { added, changed, unchanged } = outcomes;
  return `${added} added, ${changed} changed, ${unchanged} unchanged`;
}
