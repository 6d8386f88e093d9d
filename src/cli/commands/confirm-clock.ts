// The command `confirm-clock`: tells upkeep to trust the clock after it jumped.

import type { Command } from "commander";
import { lockTrustedTime, saveTrustedTime } from "../../storage/clock.ts";
import { confirmOption } from "../options.ts";
import { printResult } from "../output.ts";
import { outputOf, type Shell, withDatabase } from "../shell.ts";

export function addConfirmClockCommand(command: Command, shell: Shell): void {
  command.option(...confirmOption).action(async ({ yes }: { yes?: boolean }, running: Command) => {
    const now = shell.now();
    const time = new Date(now).toISOString();
    if (!yes) {
      running.error(
        `error: the clock says ${time}, and upkeep deletes what has expired by then; compare it with another clock, and add --yes to confirm`,
      );
    }
    const before = await withDatabase(shell, (database) =>
      database.transaction(async (queries) => {
        const trustedAt = await lockTrustedTime(queries);
        await saveTrustedTime(queries, now);
        return trustedAt;
      }),
    );
    const row = { trusted_at: time, before: before === undefined ? null : new Date(before).toISOString() };
    printResult(outputOf(shell, running), row, `Confirmed ${time}. Upkeep continues within a minute.`);
  });
}
