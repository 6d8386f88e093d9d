// The command `recount`: compares the numbers of counted campaigns with their recipients.

import type { Command } from "commander";
import { pluralize } from "../../campaign/fields/pluralize.ts";
import { parseIdOption } from "../shell/options.ts";
import { type Output, printRows } from "../shell/output.ts";
import { progressBar } from "../shell/progress-bar.ts";
import { type Recounted, recountAll } from "../shell/recount-all.ts";
import { outputOf, type Shell, withDatabase } from "../shell/shell.ts";

export function addTo(command: Command, shell: Shell, setExitCode: (code: number) => void): void {
  command
    .option("--organization <ID>", "recount only the campaigns of this organization", parseIdOption)
    .option("--repair", "correct the numbers that have drifted")
    .action(async ({ organization: only, repair: isRepaired = false }: RecountOptions, running: Command) => {
      const output = outputOf(shell, running);
      const recounted = await withDatabase(shell, (database) =>
        recountAll(database, progressBar(output), { only, isRepaired, now: shell.now }),
      );
      printFindings(output, recounted, isRepaired);
      const { drifts, unreadable } = recounted;
      setExitCode(unreadable.length > 0 || (drifts.length > 0 && !isRepaired) ? 1 : 0);
    });
}

interface RecountOptions {
  organization?: number;
  repair?: boolean;
}

function printFindings(
  output: Output,
  { campaigns, drifts, unreadable }: Recounted,
  isRepaired: boolean,
): void {
  const recounted = `Recounted ${pluralize(campaigns, "campaign")}`;
  const allCorrect =
    campaigns === 0 ? "There are no open counted campaigns." : `${recounted}: all numbers are correct.`;
  if (drifts.length > 0 || unreadable.length === 0) printRows(output, drifts, allCorrect);
  if (drifts.length > 0 && !output.json) {
    const outcome = isRepaired ? "repaired" : 'wrong; run "email-analytics recount --repair"';
    output.stderr.write(`${recounted}: ${pluralize(drifts.length, "number")} ${outcome}.\n`);
  }
  for (const { organization, campaign, recipient } of unreadable) {
    const place = `organization ${organization}, campaign ${campaign}`;
    output.stderr.write(
      `error: ${place}: recipient ${recipient} by name is unreadable; the database is damaged\n`,
    );
  }
}
