// The upkeep thread as the main thread sees it: background tasks run in their own thread and never delay requests.

import { Worker } from "node:worker_threads";
import { stopWorker } from "../stop-worker.ts";
import { type UpkeepOptions, upkeepFile } from "./upkeep.ts";

export interface UpkeepThread {
  /** When it last looked for work and did what it found, or else was started; in milliseconds since 1970. */
  lastRunAt(): number;
  stop(): Promise<void>;
}

const restartAfterMs = 1_000;
/** It keeps no objects for long. */
const maxYoungGenerationSizeMb = 4;
/** The thread may be waiting for another process's long write. Terminating it rolls its own transaction back. */
const shutdownTimeoutMs = 2_000;

/**
 * Starts the thread, and again if it ends.
 *
 * @param onError receives the failure of a task; the thread retries the task
 */
export function startUpkeep(
  { url, options }: UpkeepOptions,
  onError: (error: Error) => void,
  startAfterMs = 0,
): UpkeepThread {
  let isStopping = false;
  let lastRunAt = Date.now();
  let worker: Worker | undefined;
  let ended = Promise.resolve();
  let timer: NodeJS.Timeout;
  const startAfter = (ms: number) => {
    timer = setTimeout(start, ms);
  };
  const start = () => {
    const thread = new Worker(upkeepFile, {
      workerData: { upkeepOptions: { url, options } },
      resourceLimits: { maxYoungGenerationSizeMb },
    });
    worker = thread;
    // The thread posts failures as text, and when it has run. `node --watch` posts objects of its own from every thread.
    thread.on("message", (message: unknown) => {
      if (typeof message === "string") onError(new Error(message));
      else if (typeof message === "number") lastRunAt = message;
    });
    thread.on("error", onError);
    ended = new Promise<void>((resolve) => thread.once("exit", () => resolve()));
    void ended.then(() => isStopping || startAfter(restartAfterMs));
  };
  startAfter(startAfterMs);
  return {
    lastRunAt: () => lastRunAt,
    async stop() {
      isStopping = true;
      clearTimeout(timer);
      if (worker) await stopWorker(worker, ended, shutdownTimeoutMs);
    },
  };
}
