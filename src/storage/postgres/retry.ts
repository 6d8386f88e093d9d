// Retries database work after transient failures: deadlocks, lost connections, a failover.

import { setTimeout as pause } from "node:timers/promises";
import type { Retry } from "../queries/database.ts";
import { isTransient, OutcomeUnknown, toAppError } from "./failures.ts";

/**
 * How long to retry after the first failure. Clients cannot always send events again, and a failover takes half a minute,
 * so idempotent work is retried longest.
 */
const retryMs: Record<Retry, number> = { never: 0, beforeCommit: 10_000, idempotent: 30_000 };
/** Pauses between attempts double from the first to the second value. */
const minPauseMs = 20;
const maxPauseMs = 500;

/**
 * Runs work, and again after a transient failure if the mode allows it.
 *
 * @throws AppError `unavailable` if it still fails
 */
export async function retry<Result>(
  work: () => Promise<Result>,
  mode: Retry,
  maxMs: number = retryMs[mode],
): Promise<Result> {
  let giveUpAt: number | undefined;
  for (let pauseMs = minPauseMs; ; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
    try {
      return await work();
    } catch (error) {
      giveUpAt ??= performance.now() + maxMs;
      const isSafe =
        error instanceof OutcomeUnknown ? mode === "idempotent" : mode !== "never" && isTransient(error);
      if (!isSafe || performance.now() > giveUpAt) throw toAppError(error);
    }
    // The jitter keeps two transactions from running into the same deadlock again.
    await pause(pauseMs * (0.5 + Math.random()));
  }
}
