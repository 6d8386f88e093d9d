// The upkeep thread as the main thread sees it: background tasks run in their own thread and never delay requests.

import { Worker } from "node:worker_threads";
import { stopWorker } from "../stop-worker.ts";
import { type UpkeepOptions, upkeepFile } from "./upkeep.ts";

export interface UpkeepThread {
  stop(): Promise<void>;
}

const restartAfterMs = 1_000;
/** The thread may be waiting for another process's long write. Terminating it rolls its own transaction back. */
const shutdownTimeoutMs = 2_000;

/**
 * Starts the thread, and again if it ends.
 *
 * @param onError receives the failure of a task; the thread retries the task
 */
export function startUpkeep({ url, options }: UpkeepOptions, onError: (error: Error) => void): UpkeepThread {
  let isStopping = false;
  let worker: Worker;
  let ended: Promise<void>;
  const start = () => {
    worker = new Worker(upkeepFile, { workerData: { upkeepOptions: { url, options } } });
    // The thread posts failures as text. `node --watch` posts objects of its own from every thread.
    worker.on("message", (message: unknown) => {
      if (typeof message === "string") onError(new Error(message));
    });
    worker.on("error", onError);
    ended = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
    void ended.then(() => {
      if (!isStopping) setTimeout(() => isStopping || start(), restartAfterMs).unref();
    });
  };
  start();
  return {
    async stop() {
      isStopping = true;
      await stopWorker(worker, ended, shutdownTimeoutMs);
    },
  };
}
