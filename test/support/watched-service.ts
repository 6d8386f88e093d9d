// The memory of a service process, and how long others wait for it, while it does something.

import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { isFullSize } from "./random-cases.ts";
import type { RunningService } from "./service-process.ts";

/** In MB. */
export const memoryOf = ({ child }: RunningService) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1024;

export interface Watched<Result> {
  value: Result;
  /** The duration of the work, and the longest of a use by others meanwhile. */
  ms: number;
  waitMs: number;
  /** The largest memory. */
  megabytes: number;
}

/** @param use by others, again and again while the work runs; in full without a pause, which takes a core */
export async function watch<Result>(
  service: RunningService,
  use: () => Promise<unknown>,
  work: Promise<Result>,
): Promise<Watched<Result>> {
  let [waitMs, megabytes, isDone] = [0, 0, false];
  const startedAt = performance.now();
  const result = work.finally(() => {
    isDone = true;
  });
  const measure = async () => {
    for (; !isDone; await pause(10)) megabytes = Math.max(megabytes, memoryOf(service));
  };
  const wait = async () => {
    while (!isDone) {
      const usedAt = performance.now();
      await use();
      waitMs = Math.max(waitMs, performance.now() - usedAt);
      if (!isFullSize) await pause(20);
    }
  };
  const [value] = await Promise.all([result, measure(), wait()]);
  return { value, ms: performance.now() - startedAt, waitMs, megabytes };
}
