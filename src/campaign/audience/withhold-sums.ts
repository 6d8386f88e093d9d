// Withholds groups until no few parts add up to something that depends on few recipients.

import type { KnownParts, Part } from "./known-parts.ts";

/** Limits how long searches take together. A step looks at one cell. */
interface Budget {
  steps: number;
}

export interface Limits {
  /** A sum is small if it depends on cells of less weight. If it depends on none, it says nothing. */
  min: number;
  budget: Budget;
}

interface Term {
  part: Part;
  sign: 1 | -1;
}

/**
 * Withholds the smallest group of each small sum or difference.
 *
 * @param count how many parts are added or subtracted at most
 * @returns whether it withheld any
 */
export function withholdSums(parts: KnownParts, count: number, limits: Limits): boolean {
  const largestFirst = parts.all.toSorted((a, b) => b.weight - a.weight);
  const results = largestFirst.map((part) =>
    parts.withholdEach(() =>
      findSmallSum(parts, [{ part, sign: 1 }], { ...limits, count })?.map((term) => term.part),
    ),
  );
  return results.includes(true);
}

/**
 * A sum depends on the cells in which its terms do not cancel out. To make it small, more terms have to cancel nearly all
 * cells that the first ones depend on, so one of `n` terms cancels at least the `n`-th of them: no others are tried. Any
 * sample of the cells tells, because its cells have to be cancelled as well.
 *
 * @param terms the first terms of the sum. The very first is the largest part, so that no sum is tried once for each part.
 * @returns undefined if no such sum is small, or the budget is used up
 */
function findSmallSum(
  parts: KnownParts,
  terms: readonly Term[],
  options: Limits & { count: number },
): readonly Term[] | undefined {
  const { count, min, budget } = options;
  const more = count - terms.length;
  const sample = sampleOf(parts, terms, more === 0 ? min : min * sampleSize);
  budget.steps -= sample.steps + stepsPerSum;
  if (sample.weight === 0 || budget.steps < 0) return undefined;
  if (sample.weight < min) return terms;
  for (const term of more === 0 ? [] : termsThatCancel(parts, sample, { count: more, min })) {
    const isTried =
      term.part.weight <= (terms[0]?.part.weight ?? 0) &&
      !terms.some(({ part, sign }) => part === term.part && sign !== term.sign);
    const small = isTried ? findSmallSum(parts, [...terms, term], options) : undefined;
    if (small) return small;
  }
  return undefined;
}

/** The steps that a sum takes besides the cells of its sample. */
const stepsPerSum = 200;

/** The size in units of the minimum. Of a larger sample, fewer terms cancel enough, but it takes longer. */
const sampleSize = 16;

interface Sample {
  weight: number;
  cells: number[];
  /** Whether the sum has the cell more often than it subtracts it. */
  areAdded: boolean[];
  steps: number;
}

/** Cells that a sum depends on, up to a weight. */
function sampleOf(parts: KnownParts, terms: readonly Term[], maxWeight: number): Sample {
  const sample: Sample = { weight: 0, cells: [], areAdded: [], steps: 0 };
  for (const [index, { part }] of terms.entries()) {
    for (const cell of part.cells) {
      sample.steps += 1;
      const value = valueIn(parts, cell, terms, index);
      if (value === 0) continue;
      sample.weight += parts.weights[cell] as number;
      sample.cells.push(cell);
      sample.areAdded.push(value > 0);
      if (sample.weight >= maxWeight) return sample;
    }
  }
  return sample;
}

/** @param first the term whose cells are looked at. Those of earlier terms were looked at before, so they are left out. */
function valueIn(parts: KnownParts, cell: number, terms: readonly Term[], first: number): number {
  let value = 0;
  for (let index = 0; index < terms.length; index++) {
    const { part, sign } = terms[index] as Term;
    if (parts.indexAt(cell, part.position) !== part.index) continue;
    if (index < first) return 0;
    value += sign;
  }
  return value;
}

/** The terms of which one alone cancels its share of what `count` of them have to cancel. */
function termsThatCancel(
  parts: KnownParts,
  { cells, areAdded, weight }: Sample,
  { count, min }: { count: number; min: number },
): Term[] {
  /** The cancelled weight: at twice the index of a part to add it, at the next index to subtract it. */
  const cancelled = new Float64Array(2 * parts.all.length);
  const indexes = new Set<number>();
  for (const [at, cell] of cells.entries()) {
    for (let position = 0; position <= parts.rests.length; position++) {
      const index = 2 * parts.indexAt(cell, position) + Number(areAdded[at]);
      indexes.add(index);
      cancelled[index] = (cancelled[index] as number) + (parts.weights[cell] as number);
    }
  }
  return [...indexes]
    .filter((index) => (cancelled[index] as number) * count > weight - min)
    .map((index) => ({ part: parts.all[index >> 1] as Part, sign: index % 2 === 0 ? 1 : -1 }));
}
