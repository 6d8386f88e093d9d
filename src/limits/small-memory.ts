// Whether the process has little memory, as in a small container.

/** In bytes. */
const smallMemory = 512 * 1024 * 1024;

export function hasSmallMemory(): boolean {
  const limit = process.constrainedMemory();
  return limit > 0 && limit < smallMemory;
}
