// Copies a SQLite file while other processes write to it.

import { connectReader } from "./connect.ts";

/** 8 MB. Between steps, the process does other work. */
const pagesPerStep = 1_000;

/**
 * Copies one state of the database, with SQLite's online backup. Writers do not wait, but the write-ahead log grows
 * meanwhile.
 *
 * @param to an empty file
 * @param onProgress takes the share that is done, from 0 to 1
 */
export async function backUpFile(
  from: string,
  to: string,
  onProgress: (share: number) => void,
): Promise<void> {
  const { sqlite } = connectReader(from);
  try {
    // The backup reads in this transaction. Without it, the backup starts again at every commit of another process.
    sqlite.exec("begin");
    sqlite.prepare("select count(*) from sqlite_master").get();
    await sqlite.backup(to, {
      progress: ({ totalPages, remainingPages }) => {
        onProgress(1 - remainingPages / totalPages);
        return pagesPerStep;
      },
    });
  } finally {
    sqlite.close();
  }
}
