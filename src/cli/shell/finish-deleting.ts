// The last step of every command that deletes: wipes the deleted data from unused space.

import { purgeRetiredLedger } from "../../counting/campaigns/purge-retired-ledger.ts";
import type { Database } from "../../storage/queries/database.ts";

/**
 * Deletes what closed and deleted campaigns were counted from, in small steps, and then wipes the file.
 *
 * @returns a warning for the user if traces may remain; empty if everything was wiped. The data is deleted either way.
 */
export async function finishDeleting(
  database: Database,
  wipe: (database: Database) => Promise<boolean> = (deleted) => deleted.wipe(),
): Promise<string> {
  while (await database.transaction(purgeRetiredLedger));
  try {
    if (await wipe(database)) return "";
  } catch (error) {
    const { code = "" } = error as { code?: string };
    if (!/^(unavailable$|SQLITE_(BUSY|FULL|IOERR))/.test(code)) throw error;
  }
  return ' Traces of the deleted data remain in unused space, because the database is in use or the disk is full. Run "email-analytics doctor --vacuum" later.';
}
