// Returns space of a SQLite file to the disk and wipes deleted data.

import { setTimeout as pause } from "node:timers/promises";
import type Sqlite from "better-sqlite3";
import type { SqliteConnection, WritingConnection } from "./connect.ts";
import { retryEveryMs } from "./retry.ts";

/** 1 MB: other writers wait for some milliseconds. */
const pagesPerTransaction = 125;
const maxTruncateMs = 5_000;

/** Rewrites the whole file. @returns as {@link truncateLog} */
export function vacuumFile({ sqlite, kysely, turns }: WritingConnection): Promise<boolean> {
  return kysely.connection().execute(async () => {
    await turns.wait(async () => sqlite.exec("vacuum"));
    return truncateLog(sqlite);
  });
}

/** Removes free pages from the file. @returns as {@link truncateLog} */
export async function shrinkFile({ sqlite, kysely }: SqliteConnection): Promise<boolean> {
  while (sqlite.pragma("freelist_count", { simple: true }) !== 0) {
    await kysely
      .transaction()
      .execute(async () => sqlite.exec(`pragma incremental_vacuum(${pagesPerTransaction})`));
  }
  return kysely.connection().execute(() => truncateLog(sqlite));
}

/**
 * Truncates the write-ahead log, which still contains overwritten data.
 *
 * @returns false if readers kept it in use for too long
 */
async function truncateLog(sqlite: Sqlite.Database): Promise<boolean> {
  const giveUpAt = performance.now() + maxTruncateMs;
  for (;;) {
    const [state] = sqlite.pragma("wal_checkpoint(TRUNCATE)") as { busy: number }[];
    if (state?.busy === 0) return true;
    if (performance.now() > giveUpAt) return false;
    await pause(retryEveryMs);
  }
}
