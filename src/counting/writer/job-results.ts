// Job results: how the writer thread reports the outcome of a job to the main thread.

import { parentPort } from "node:worker_threads";
import { AppError, type PostedError, toPostedError } from "../../errors.ts";

/** Message to the main thread: exactly one of `result` and `error` is set. */
export interface JobResult {
  jobId: number;
  result?: unknown;
  error?: PostedError;
}

export type Outcome<Value> = { value: Value } | { error: unknown };

export async function captureOutcome<Value>(run: () => Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { value: await run() };
  } catch (error) {
    return { error };
  }
}

export function captureSync<Value>(run: () => Value): Outcome<Value> {
  try {
    return { value: run() };
  } catch (error) {
    return { error };
  }
}

/** Whether the database cannot be written now: another writer holds the lock, or the disk is full. Clients may retry. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof AppError && error.code === "unavailable";
}

export function postResult(jobId: number, outcome: Outcome<unknown>): void {
  const result: JobResult =
    "value" in outcome ? { jobId, result: outcome.value } : { jobId, error: toPostedError(outcome.error) };
  parentPort?.postMessage(result);
}
