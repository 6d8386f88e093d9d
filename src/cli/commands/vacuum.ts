// The command `vacuum`: wipes deleted data from unused space.

import type { Command } from "commander";
import { finishDeleting } from "../finish-deleting.ts";
import { printResult } from "../output.ts";
import { outputOf, type Shell, withDatabase } from "../shell.ts";

export function addVacuumCommand(command: Command, shell: Shell, setExitCode: (code: number) => void): void {
  command.action(async (_options: object, running: Command) => {
    const warning = await withDatabase(shell, (database) =>
      finishDeleting(database, (whole) => whole.vacuum()),
    );
    const isGone = warning === "";
    const sentence = isGone ? "Rewrote the database." : warning.trim();
    printResult(outputOf(shell, running), { is_gone: isGone }, sentence);
    setExitCode(isGone ? 0 : 1);
  });
}
