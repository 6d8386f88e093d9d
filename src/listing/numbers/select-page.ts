// One page of a sorted list without sorting the whole list.

type Compare = (a: number, b: number) => number;

/**
 * The numbers from 0 to `count` - 1 in an order, from position `from` (inclusive) to `until` (exclusive). By quickselect,
 * in linear time.
 *
 * @param compare never 0 for two different numbers
 */
export function selectPage(count: number, compare: Compare, from: number, until: number): number[] {
  const list = Uint32Array.from({ length: count }, (_, index) => index);
  partition(list, compare, { start: 0, end: count, rank: from });
  partition(list, compare, { start: from, end: count, rank: until });
  return [...list.subarray(from, until)].sort(compare);
}

/** Moves the first `rank` of the list's numbers from `start` to `end` before all others of them. */
function partition(
  list: Uint32Array,
  compare: Compare,
  { start, end, rank }: { start: number; end: number; rank: number },
): void {
  let [low, high] = [start, end - 1];
  while (low < high && rank > low && rank <= high) {
    const pivot = medianOfThree(list, compare, low, high);
    let [left, right] = [low, high];
    while (left <= right) {
      while (compare(list[left] as number, pivot) < 0) left += 1;
      while (compare(list[right] as number, pivot) > 0) right -= 1;
      if (left > right) break;
      swap(list, left, right);
      left += 1;
      right -= 1;
    }
    if (rank <= right) high = right;
    else if (rank >= left) low = left;
    else return;
  }
}

/** Against the long time that lists in order or in reverse order would take. */
function medianOfThree(list: Uint32Array, compare: Compare, low: number, high: number): number {
  const ends = [list[low] as number, list[(low + high) >>> 1] as number, list[high] as number];
  return ends.sort(compare)[1] as number;
}

function swap(list: Uint32Array, one: number, other: number): void {
  const kept = list[one] as number;
  list[one] = list[other] as number;
  list[other] = kept;
}
