// Job results: how the writer thread reports the outcome of a job to the main thread.

import { parentPort } from "node:worker_threads";
import { AppError, type ErrorCode } from "../../errors.ts";
import type { TaskResult } from "./jobs.ts";

/** Message to the main thread: exactly one of `result`, `appError` and `failure` is set. */
export interface JobResult {
  jobId: number;
  result?: TaskResult;
  appError?: { code: ErrorCode; message: string; cause?: string };
  /** Stack of an unexpected error. */
  failure?: string;
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

export function postResult(jobId: number, outcome: Outcome<TaskResult>): void {
  const send = (message: JobResult) => parentPort?.postMessage(message);
  if ("value" in outcome) send({ jobId, result: outcome.value });
  else if (outcome.error instanceof AppError) {
    const { code, message, cause } = outcome.error;
    send({ jobId, appError: { code, message, ...(cause !== undefined && { cause: String(cause) }) } });
  } else send({ jobId, failure: String((outcome.error as Error).stack ?? outcome.error) });
}
