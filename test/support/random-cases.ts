// The size of a test run: how many random cases a test tries, and with how much data a heavy check works.

// PostgreSQL tries fewer cases: only the storage differs there.
const size = process.env.SIZE ?? (process.env.TEST_DATABASE_URL ? "0.1" : "0.25");

/** Heavy checks run in full, on real disks, and print what they measured: `npm run verify -- NAME`. */
export const isFullSize = size === "full";

/** `SIZE=10` tries ten times the number, `SIZE=full` the full one. */
export function randomCases(count: number, full = count * 100): number {
  return isFullSize ? full : Math.ceil(count * Number(size));
}

/** Prints a result of a check that runs in full. */
export function report(line: string): void {
  if (isFullSize) console.log(line);
}
