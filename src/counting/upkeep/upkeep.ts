// Entry point of the upkeep thread: runs the background tasks in a loop until the main thread stops it.

import { setTimeout as pause } from "node:timers/promises";
import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { openDatabase } from "../../storage/open-database.ts";
import type { DatabaseOptions } from "../../storage/queries/database.ts";
import { UpkeepTasks } from "./upkeep-tasks.ts";

/** What the thread is started with. */
export interface UpkeepOptions {
  url: string;
  options?: DatabaseOptions | undefined;
}

/** The file to start the thread with. */
export const upkeepFile = new URL(import.meta.url);

/** Lets other writers in. */
const pauseBetweenTransactionsMs = 10;
const pauseWhenIdleMs = 1_000;

async function runUntilStopped({ url, options }: UpkeepOptions): Promise<void> {
  const stopping = new AbortController();
  parentPort?.once("message", () => stopping.abort());
  const database = await openDatabase(url, options);
  const tasks = new UpkeepTasks(database, (error) => parentPort?.postMessage(String(error)));
  while (!stopping.signal.aborted) {
    const pauseMs = (await tasks.run()) ? pauseBetweenTransactionsMs : pauseWhenIdleMs;
    if (!tasks.isFailing) parentPort?.postMessage(Date.now());
    await pause(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
  }
  await database.close();
}

const { upkeepOptions } = (workerData ?? {}) as { upkeepOptions?: UpkeepOptions };
if (!isMainThread && upkeepOptions !== undefined) await runUntilStopped(upkeepOptions);
