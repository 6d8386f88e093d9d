// Binary search.

/** The first of the numbers from `start` to `end` (without it) from which on a condition holds; `end` where it never does. */
export function binarySearch(start: number, end: number, holds: (at: number) => boolean): number {
  let [low, high] = [start, end];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
