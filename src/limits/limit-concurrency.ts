// Work of which only so much is done at once in the process, while a few wait and the rest is sent away.

import { AppError } from "../errors.ts";

/**
 * @returns does a piece of work when its turn comes, in the order of asking
 * @throws Refusal `unavailable` while too many others wait
 */
export function limitConcurrency({
  atOnce,
  waitingMax,
  whenFull,
}: {
  atOnce: number;
  waitingMax: number;
  /** What is said to whoever is sent away. */
  whenFull: string;
}) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running >= atOnce) {
      if (waiting.length >= waitingMax) {
        throw new AppError("unavailable", whenFull);
      }
      // Whoever ends hands its place over, so that nobody slips in between.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
