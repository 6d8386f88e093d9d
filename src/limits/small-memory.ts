// Whether the process has little memory, as in a small container, and how it then keeps its heaps small.

import { setFlagsFromString } from "node:v8";

/** In bytes. */
const smallMemory = 512 * 1024 * 1024;

export function hasSmallMemory(): boolean {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < smallMemory;
}

/**
 * Where a container has little memory, the heaps of threads that start later stay smaller still, and large work takes longer. The
 * first thread has its own young generation already, whose size only an option of node sets.
 */
export function keepThreadsSmall(): void {
  if (hasSmallMemory()) setFlagsFromString("--optimize-for-size");
  setFlagsFromString("--max-semi-space-size=2");
}

/** By default V8 lets each heap grow to several times its live data. Loading the program takes a fifth longer with this. */
export const keepHeapsSmall = () => setFlagsFromString("--memory-saver-mode");
