// The ranges of textbooks, computed slowly from their definitions.

import type { Range } from "../../src/campaign/ranges.ts";

/** All shares p that a score test does not reject: |rate - p| <= z * sqrt(p(1 - p) / n). */
export function slowShareRange(part: number, whole: number): Range {
  const rate = part / whole;
  const accepts = (p: number) => (rate - p) ** 2 <= (1.959963984540054 ** 2 * p * (1 - p)) / whole;
  return { low: bisect(0, rate, accepts), high: bisect(1, rate, accepts) };
}

/** The bound between what does not hold at one end and holds at the other. */
function bisect(outside: number, inside: number, holds: (value: number) => boolean): number {
  for (let step = 0; step < 100; step++) {
    const middle = (outside + inside) / 2;
    if (holds(middle)) inside = middle;
    else outside = middle;
  }
  return inside;
}

interface Part {
  part: number;
  whole: number;
}

/**
 * The variance of the ratio of sums, with the matrix of the covariances of the differences of all pairs of campaigns, and its
 * degrees of freedom (Satterthwaite 1946), by loops.
 */
export function slowEstimate(campaigns: readonly Part[]): {
  rate: number;
  variance: number;
  freedom: number;
} {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const whole = sum(campaigns.map((each) => each.whole));
  const rate = sum(campaigns.map(({ part }) => part)) / whole;
  const weights = campaigns.map((each) => each.whole / whole);
  const differences = campaigns.map((each) => (each.part - rate * each.whole) / whole);
  const squares = sum(weights.map((weight) => weight ** 2));
  // What the squares of the differences are expected to be if all campaigns vary by 1.
  const expected = sum(
    weights.map((own, index) => {
      const others = weights.map((weight, other) => (other === index ? 1 - own : -weight) ** 2);
      return own ** 2 * sum(others);
    }),
  );
  // If each varies by 1 / weight, as by chance alone.
  const covariance = (one: number, other: number) => (one === other ? 1 / (weights[one] as number) : 0) - 1;
  const trace = sum(weights.map((weight, index) => weight ** 2 * covariance(index, index)));
  const pairs = weights.flatMap((one, index) =>
    weights.map((two, other) => (one * two * covariance(index, other)) ** 2),
  );
  // The variance of the rate per square, in the mean of both cases.
  const factor = (squares / expected + 1 / trace) / 2;
  const variance = sum(differences.map((each) => each ** 2)) * factor;
  return { rate, variance, freedom: trace ** 2 / sum(pairs) };
}

/** Half of the width of 95 % of Student's distribution, by adding up its density in thin slices. */
export function slowStudentErrors(freedom: number): number {
  const slices = 2_000;
  // With t = sqrt(freedom) * tan(angle), the density is a power of the cosine.
  const area = (until: number) => {
    let total = 0;
    for (let slice = 0; slice < slices; slice++) {
      total += Math.cos(((slice + 0.5) * until) / slices) ** (freedom - 1) * (until / slices);
    }
    return total;
  };
  const all = area(Math.PI / 2);
  return bisect(0, 100, (errors) => area(Math.atan(errors / Math.sqrt(freedom))) >= 0.95 * all);
}
