// Prints ratios and timings of programs.

import type { Timed } from "../../test/support/timed-program.ts";

export function printRatio(name: string, ratio: number): void {
  console.log(`${ratio.toFixed(2).padStart(8)} x  ${name}`);
}

/** @param count how many records or events the program has processed */
export function printTiming(name: string, { seconds, peakMegabytes }: Timed, count: number): void {
  const rate = Math.round(count / seconds);
  console.log(
    `${seconds.toFixed(2).padStart(8)} s  ${name}: ${rate} per second, peak memory ${peakMegabytes.toFixed(0)} MB`,
  );
}
