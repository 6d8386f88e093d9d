// Whether the process has little memory, as in a small container, and how it then keeps its heaps small.

import { setFlagsFromString } from "node:v8";

/** In bytes. */
const smallMemory = 512 * 1024 * 1024;

export function hasSmallMemory(): boolean {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < smallMemory;
}

/** Of threads that start later. The first one has its own young generation already, whose size only an option of node sets. */
export const keepThreadsSmall = () => setFlagsFromString("--max-semi-space-size=2");

/**
 * By default V8 lets each heap grow to several times its live data. Where a container has little memory, heaps stay smaller
 * still, and large work takes longer. Loading the program takes a fifth longer with this.
 */
export function keepHeapsSmall(): void {
  setFlagsFromString("--memory-saver-mode");
  if (hasSmallMemory()) setFlagsFromString("--optimize-for-size");
}
