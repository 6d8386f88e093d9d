// Searches all sums and differences of up to five parts for one that depends on few recipients. It is independent of the
// product: it works with single recipients, and tries the parts in a fixed order, the largest first.

/** What a reader knows the sum of: the numbers of its recipients. */
export type KnownPart = readonly number[];

/**
 * Each term changes what the sum counts of its recipients. A branch ends only if the terms that are left cannot cancel enough:
 * they cancel at most as much together as each of the best of them alone.
 *
 * @param weights of the recipients
 * @returns the weight of what the first such sum depends on; undefined if there is none
 */
export function findSmallSum(
  parts: readonly KnownPart[],
  weights: readonly number[],
  { min, terms = 5 }: { min: number; terms?: number },
): number | undefined {
  const sorted = parts.toSorted((a, b) => b.length - a.length);
  const values = new Int8Array(weights.length);
  let weight = 0;
  const add = (part: KnownPart, sign: number) => {
    for (const each of part) {
      const before = values[each] as number;
      values[each] = before + sign;
      if (before === 0) weight += weights[each] as number;
      if (before === -sign) weight -= weights[each] as number;
    }
  };
  const cancelledBy = (part: KnownPart, sign: number) =>
    part.reduce(
      (sum, each) => sum + (Math.sign(values[each] as number) === -sign ? (weights[each] as number) : 0),
      0,
    );
  const search = (first: number, left: number): number | undefined => {
    if (weight > 0 && weight < min) return weight;
    if (left === 0 || weight === 0) return undefined;
    const options = sorted.flatMap((part, index) =>
      index < first ? [] : [1, -1].map((sign) => ({ part, index, sign, cancelled: cancelledBy(part, sign) })),
    );
    const best = options.map(({ cancelled }) => cancelled).sort((a, b) => b - a);
    const most = best.slice(0, left).reduce((sum, each) => sum + each, 0);
    if (weight - most >= min) return undefined;
    for (const { part, index, sign, cancelled } of options) {
      // The others cancel at most what the best of them do.
      if (weight - cancelled - best.slice(0, left - 1).reduce((sum, each) => sum + each, 0) >= min) continue;
      add(part, sign);
      const small = search(index, left - 1);
      add(part, -sign);
      if (small !== undefined) return small;
    }
    return undefined;
  };
  for (const [index, part] of sorted.entries()) {
    add(part, 1);
    const small = search(index, terms - 1);
    add(part, -1);
    if (small !== undefined) return small;
  }
  return undefined;
}
