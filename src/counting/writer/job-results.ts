// What becomes of a job, as the writing thread tells the main thread.

import { parentPort } from "node:worker_threads";
import { AppError, type ErrorCode } from "../../errors.ts";
import type { Result } from "./jobs.ts";

/** What goes back to the main thread. */
export interface JobResult {
  number: number;
  result?: Result;
  refusal?: { code: ErrorCode; message: string; cause?: string };
  failure?: string;
}

export type Settled<Value> = { value: Value } | { error: unknown };

export async function settled<Value>(work: () => Promise<Value>): Promise<Settled<Value>> {
  try {
    return { value: await work() };
  } catch (error) {
    return { error };
  }
}

/** Somebody else writes for long, or the disk is full: nobody's fault, and to be tried again. */
export function isUnavailable(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === "unavailable" || /^SQLITE_(BUSY|FULL|IOERR)/.test(code ?? "");
}

export function postResult(number: number, outcome: Settled<Result>): void {
  const send = (message: JobResult) => parentPort?.postMessage(message);
  if ("value" in outcome) send({ number, result: outcome.value });
  else if (isUnavailable(outcome.error) && !(outcome.error instanceof AppError)) {
    const { code } = outcome.error as { code: string };
    const message = `The database cannot be written now (${code}). Nothing was taken; try again.`;
    send({ number, refusal: { code: "unavailable", message } });
  } else if (outcome.error instanceof AppError) {
    const { code, message, cause } = outcome.error;
    send({ number, refusal: { code, message, ...(cause !== undefined && { cause: String(cause) }) } });
  } else send({ number, failure: String((outcome.error as Error).stack ?? outcome.error) });
}
