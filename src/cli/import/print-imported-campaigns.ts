// Prints the result of an import or a pull of campaigns.

import { pluralize } from "../../campaign/fields/pluralize.ts";
import { type ImportTotal, maxErrorsShown } from "../../counting/import/import-total.ts";
import { type Output, printable, printResult } from "../shell/output.ts";

/**
 * @param printed.consequence of errors
 * @param printed.row what JSON has besides, and `printed.more` the same for people
 * @param printed.note for people
 */
export function printImportedCampaigns(
  output: Output,
  { dryRun, verbose }: { dryRun?: boolean; verbose?: boolean },
  total: ImportTotal,
  printed: { verb: string; consequence: string; row?: object; more?: string; note?: string | undefined },
): void {
  const { verb, consequence, row, more = "", note } = printed;
  printErrors(output, total, consequence);
  const { added, changed, unchanged } = total.outcomes;
  const counts = `${added} added, ${changed} changed, ${unchanged} unchanged${more}`;
  const warnings = total.warnings.sentences();
  const text = `${dryRun ? "Validated, nothing written" : verb}: ${counts}.`;
  printResult(output, { ...total.outcomes, ...row, warnings }, text, note);
  // With `--json`, the result has them.
  if (output.json) return;
  const [first = "", ...others] = warnings;
  const shown =
    verbose || others.length === 0 ? warnings : [`${first}; --verbose lists ${others.length} more`];
  for (const warning of shown) output.stderr.write(`warning: ${printable(warning)}\n`);
}

function printErrors(output: Output, { errors, errorCount }: ImportTotal, consequence: string): void {
  for (const error of errors.slice(0, maxErrorsShown)) output.stderr.write(`${printable(error)}\n`);
  if (errorCount > maxErrorsShown) output.stderr.write(`… and ${errorCount - maxErrorsShown} more\n`);
  if (errorCount > 0) output.stderr.write(`error: ${pluralize(errorCount, "error")}; ${consequence}\n`);
}
