// How far a rate can be from the truth by chance: its 95 % range.

/** 95 % of a normal distribution are within so many standard errors. */
const normalErrors = 1.959963984540054;

/** What the truth is in with 95 % confidence. */
export interface Range {
  low: number;
  high: number;
}

/**
 * The range of the share of a whole: the score interval of Wilson (1927), which also holds for few, and near 0 and 1.
 *
 * @param part at most the whole. @param whole more than 0
 */
export function shareRange(part: number, whole: number): Range {
  const rate = part / whole;
  const squared = normalErrors ** 2 / whole;
  const center = (rate + squared / 2) / (1 + squared);
  const half = (normalErrors / (1 + squared)) * Math.sqrt((rate * (1 - rate) + squared / 4) / whole);
  // Of none or all, rounding errors would leave the end a little inside.
  return { low: part === 0 ? 0 : center - half, high: part === whole ? 1 : center + half };
}
