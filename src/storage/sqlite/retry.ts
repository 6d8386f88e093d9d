// Retries what fails because another process is writing to the SQLite database.

import { setTimeout as pause } from "node:timers/promises";
import { AppError } from "../../errors.ts";

/** How long a writer waits for another one, and how often it retries. */
export const busyTimeoutMs = 30_000;
export const retryEveryMs = 5;

/**
 * Retries work that needs the write lock. Unlike SQLite's own busy timeout, this does not block the process.
 *
 * @param giveUpAt by `performance.now()`
 * @throws AppError `unavailable` if the database stays locked
 */
export async function retryWhileBusy(
  work: () => Promise<unknown>,
  { giveUpAt, everyMs }: { giveUpAt: number; everyMs: number },
): Promise<void> {
  for (;;) {
    try {
      await work();
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== "SQLITE_BUSY") throw error;
      if (performance.now() > giveUpAt) {
        throw new AppError(
          "unavailable",
          "another process is writing to the database; try again when it is done",
        );
      }
    }
    await pause(everyMs);
  }
}
