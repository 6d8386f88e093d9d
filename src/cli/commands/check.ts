// The command `check`: looks for damage in the database.

import type { Command } from "commander";
import { pluralize } from "../../campaign/pluralize.ts";
import { type CheckResult, checkDatabase } from "../../counting/integrity/check-database.ts";
import { type Output, printRows } from "../output.ts";
import { progressBar } from "../progress-bar.ts";
import { outputOf, type Shell, withDatabase } from "../shell.ts";

export function addCheckCommand(command: Command, shell: Shell, setExitCode: (code: number) => void): void {
  command.action(async (_options: object, running: Command) => {
    const output = outputOf(shell, running);
    const bar = progressBar(output);
    const result = await withDatabase(shell, (database) =>
      checkDatabase(database, bar.show).finally(() => bar.clear()),
    );
    printFindings(output, result);
    setExitCode(result.problems > 0 ? 1 : 0);
  });
}

function printFindings(output: Output, { records, problems, damage }: CheckResult): void {
  const checked = `Checked ${pluralize(records, "record")}`;
  const rows = output.json ? damage : damage.map((each) => ({ ...each, ...withDashes(each) }));
  printRows(output, rows, `${checked}: no damage.`);
  if (problems === 0) return;
  const listed = problems > damage.length ? `, of which ${damage.length} are listed` : "";
  output.stderr.write(
    `error: ${checked}: ${pluralize(problems, "problem")}${listed}. The database is damaged; restore a backup.\n`,
  );
}

function withDashes({ organization, campaign }: CheckResult["damage"][number]) {
  return { organization: organization ?? "-", campaign: campaign ?? "-" };
}
