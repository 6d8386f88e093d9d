// Prints the result of a pull.

import type { ImportTotal } from "../import/import-total.ts";
import { describeOutcomes, printNotices } from "../import/print-imported-campaigns.ts";
import { type Output, printResult } from "../output.ts";

export function printPulled(
  output: Output,
  { dryRun, isPruned }: { dryRun: boolean; isPruned: boolean },
  { total, deleted, requests }: { total: ImportTotal; deleted: number; requests: number },
): void {
  printNotices(output, total, "nothing was saved");
  const isSaved = total.errorCount === 0;
  const row = {
    ...total.outcomes,
    deleted: isSaved ? deleted : 0,
    requests,
    warnings: total.warnings.sentences(),
  };
  const verb = dryRun ? "Validated, nothing written" : "Pulled";
  const pruned = isPruned ? `, ${row.deleted} deleted` : "";
  printResult(output, row, `${verb}: ${describeOutcomes(total)}${pruned}.`);
}
