// Limits how many tasks run at once; a bounded number wait, the rest are refused with 503.

import pLimit from "p-limit";
import { AppError } from "../errors.ts";

/**
 * @returns a function that runs a task when a slot is free, first in, first out
 * @throws AppError `unavailable` if `maxWaiting` tasks are waiting already
 */
export function limitConcurrency({
  concurrency,
  maxWaiting,
  fullMessage,
}: {
  concurrency: number;
  maxWaiting: number;
  /** The public message of the error. */
  fullMessage: string;
}) {
  const limit = pLimit(concurrency);
  return async <Result>(task: () => Promise<Result>): Promise<Result> => {
    if (limit.activeCount + limit.pendingCount >= concurrency + maxWaiting) {
      throw new AppError("unavailable", fullMessage);
    }
    return limit(task);
  };
}
