// Searches all sums and differences of up to five parts for one that depends on few recipients, and at random those of any
// number. It is independent of the product: it works with single recipients, and tries the parts in a fixed order.

import type { Random } from "../../support/histories.ts";

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

const prime = 1_000_003;

/**
 * Reduces the parts by Gaussian elimination, with the recipients in random order: each row that is left is a sum of multiples of
 * parts, in which nearly as many recipients cancel out as can. A sum of few has a good chance to be one of them.
 *
 * @returns how many recipients the smallest of these sums depends on
 */
export function guessSmallestSum(parts: readonly KnownPart[], recipients: number, random: Random): number {
  const rows: Float64Array[] = parts.map((part) => {
    const row = new Float64Array(recipients);
    for (const each of part) row[each] = 1;
    return row;
  });
  let rank = 0;
  for (const column of random.shuffle([...Array(recipients).keys()])) {
    const at = rows.findIndex((row, index) => index >= rank && row[column] !== 0);
    if (at < 0) continue;
    const pivot = rows[at] as Float64Array;
    [rows[at], rows[rank]] = [rows[rank] as Float64Array, pivot];
    const inverse = inverseOf(pivot[column] as number);
    for (const row of rows) {
      const factor = row === pivot ? 0 : ((row[column] as number) * inverse) % prime;
      if (factor !== 0) subtract(row, pivot, factor);
    }
    rank += 1;
  }
  const sizes = rows.slice(0, rank).map((row) => row.filter((value) => value !== 0).length);
  return Math.min(...sizes);
}

function subtract(row: Float64Array, pivot: Float64Array, factor: number): void {
  for (let column = 0; column < row.length; column++) {
    row[column] = ((row[column] as number) + (prime - factor) * (pivot[column] as number)) % prime;
  }
}

/** By Fermat's little theorem. */
function inverseOf(value: number): number {
  let inverse = 1;
  for (let rest = prime - 2, power = value; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) inverse = (inverse * power) % prime;
    power = (power * power) % prime;
  }
  return inverse;
}
