// The ranges of textbooks, computed slowly from their definitions.

import type { Range } from "../../src/campaign/ranges.ts";

/** All shares p that a score test does not reject: |rate - p| <= z * sqrt(p(1 - p) / n). */
export function slowShareRange(part: number, whole: number): Range {
  const rate = part / whole;
  const accepts = (p: number) => (rate - p) ** 2 <= (1.959963984540054 ** 2 * p * (1 - p)) / whole;
  return { low: bisect(0, rate, accepts), high: bisect(1, rate, accepts) };
}

/** The bound between what does not hold at one end and holds at the other. */
function bisect(outside: number, inside: number, holds: (value: number) => boolean): number {
  for (let step = 0; step < 100; step++) {
    const middle = (outside + inside) / 2;
    if (holds(middle)) inside = middle;
    else outside = middle;
  }
  return inside;
}
