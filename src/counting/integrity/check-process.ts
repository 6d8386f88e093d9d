// Entry point of the background check: checks a database once, and sends the result to its parent.

import { fileURLToPath } from "node:url";
import type { DatabaseOptions } from "../../storage/database.ts";
import { openDatabase } from "../../storage/open-database.ts";
import { type CheckResult, checkDatabase } from "./check-database.ts";

/** Message to the process: what to check. */
export interface CheckJob {
  url: string;
  options?: DatabaseOptions | undefined;
}

/** Message to the parent: the result, or why there is none. */
export type CheckOutcome = { result: CheckResult } | { failure: string };

/** The file to start the process with. */
export const checkFile = fileURLToPath(import.meta.url);

async function check({ url, options }: CheckJob): Promise<CheckOutcome> {
  const database = await openDatabase(url, { ...options, mustExist: true });
  try {
    return { result: await checkDatabase(database, { isThorough: false }) };
  } finally {
    await database.close();
  }
}

if (process.argv[1] === checkFile) {
  process.once("message", async (job: CheckJob) => {
    const outcome = await check(job).catch((error: unknown) => ({ failure: String(error) }));
    process.send?.(outcome satisfies CheckOutcome, () => process.disconnect?.());
  });
}
