// Writers of a SQLite file take turns: a connection that waits for the write lock holds a second lock, so that the one that
// has the write lock cannot take it again at once.

import Sqlite from "better-sqlite3";
import { createFile } from "./create-file.ts";
import { busyTimeoutMs, retryEveryMs, retryWhileBusy } from "./retry.ts";

/** The writer whose turn it is retries at this interval; the others wait longer. */
const retryInTurnMs = 1;

export interface Turns {
  /**
   * Waits for the turn of this connection, then for the write lock, without blocking the process.
   *
   * @param takeWriteLock throws SQLITE_BUSY while another connection has the lock
   * @throws AppError `unavailable` if the database stays locked
   */
  wait(takeWriteLock: () => Promise<unknown>): Promise<void>;
  close(): void;
}

/**
 * The operating system releases both locks when a process ends, even if it is killed.
 *
 * @param path of the database; the second lock is on an empty file beside it
 */
export function openTurns(path: string): Turns {
  const lockPath = `${path}-turn`;
  createFile(lockPath);
  const sqlite = new Sqlite(lockPath, { timeout: 0 });
  // Otherwise SQLite looks for a journal at each `begin`, which takes eight times as long.
  sqlite.pragma("journal_mode = MEMORY");
  const [begin, end] = [sqlite.prepare("begin immediate"), sqlite.prepare("rollback")];
  return {
    async wait(takeWriteLock) {
      const giveUpAt = performance.now() + busyTimeoutMs;
      await retryWhileBusy(async () => begin.run(), { giveUpAt, everyMs: retryEveryMs });
      try {
        await retryWhileBusy(takeWriteLock, { giveUpAt, everyMs: retryInTurnMs });
      } finally {
        end.run();
      }
    },
    close: () => {
      sqlite.close();
    },
  };
}
