// The command `vacuum`, and the last step of every command that deletes: nothing of it is left in unused bytes.

import type { Command } from "commander";
import { purgeRetiredLedger } from "../../counting/campaigns/purge-retired-ledger.ts";
import type { Database } from "../../storage/database.ts";
import { printDone } from "../output.ts";
import { outputOf, type Shell, withDatabase } from "../shell.ts";

export function addVacuumCommand(command: Command, shell: Shell, exit: (code: number) => void): void {
  command
    .description("Write the database anew, so that nothing of what was deleted is left in unused bytes")
    .action(async (_options: object, running: Command) => {
      const rest = await withDatabase(shell, (database) =>
        finishDeleting(database, (whole) => whole.vacuum()),
      );
      const sentence = `The database was written anew.${rest}`;
      printDone(outputOf(shell, running), { is_gone: rest === "" }, rest === "" ? sentence : rest.trim());
      exit(rest === "" ? 0 : 1);
    });
}

/**
 * Clears away, a little at a time, what closed and deleted campaigns were counted from, and writes the file anew.
 *
 * @returns a sentence for when that did not come to its end; what was deleted is deleted all the same
 */
export async function finishDeleting(
  database: Database,
  work: (database: Database) => Promise<boolean> = (deleted) => deleted.wipe(),
): Promise<string> {
  while (await database.transaction(purgeRetiredLedger));
  try {
    if (await work(database)) return "";
  } catch (error) {
    const { code = "" } = error as { code?: string };
    if (!/^(unavailable$|SQLITE_(BUSY|FULL|IOERR))/.test(code)) throw error;
  }
  return ' Traces of it are left in unused bytes, because others read or write, or the disk is full; run "email-analytics vacuum" later.';
}
