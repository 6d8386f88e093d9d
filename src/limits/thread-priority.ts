// The priority of threads whose work can wait.

import { getPriority, setPriority } from "node:os";

/** Beside a busy thread it gets a quarter of a core. With less, reading a large file would take longer than it may. */
const lower = 5;
const lowest = 19;

/**
 * Lets the other threads of the process go first where there is but one core. A thread that calls it must not hold a lock that
 * they wait for. Only on Linux does the priority belong to a thread; elsewhere it is that of the whole process.
 */
export function lowerThreadPriority(): void {
  if (process.platform === "linux") setPriority(Math.min(getPriority() + lower, lowest));
}
