// Binary search.

/**
 * The first index from `start` (inclusive) to `end` (exclusive) at which `holds` is true; `end` if there is none.
 *
 * @param holds false up to some index and true from there on
 */
export function binarySearch(start: number, end: number, holds: (index: number) => boolean): number {
  let [low, high] = [start, end];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
