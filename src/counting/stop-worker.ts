// Graceful shutdown of a worker thread.

import type { Worker } from "node:worker_threads";

/**
 * Asks a thread to stop, and terminates it if it takes longer.
 *
 * @param ended resolves when the thread exits
 */
export async function stopWorker(worker: Worker, ended: Promise<void>, timeoutMs: number): Promise<void> {
  worker.postMessage("stop");
  const timeout = setTimeout(() => worker.terminate(), timeoutMs);
  await ended;
  clearTimeout(timeout);
}
