// How far a rate can be from the truth by chance: its 95 % range.

/** 95 % of a normal distribution are within so many standard errors. */
export const normalErrors = 1.959963984540054;

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
  // Rounding errors would leave the end a little inside for none or all.
  return { low: part === 0 ? 0 : center - half, high: part === whole ? 1 : center + half };
}

/** Sums over campaigns that say how much their rates differ: of the squares of parts and wholes, and so on. */
export interface Spread {
  partSquares: number;
  products: number;
  wholeSquares: number;
  wholeCubes: number;
}

export const spreadNames = [
  "partSquares",
  "products",
  "wholeSquares",
  "wholeCubes",
] as const satisfies (keyof Spread)[];

/** What one campaign adds. */
export function spreadOf(part: number, whole: number): Spread {
  return { partSquares: part ** 2, products: part * whole, wholeSquares: whole ** 2, wholeCubes: whole ** 3 };
}

/** Adds what one campaign adds. */
export function addToSpread(spread: Spread, part: number, whole: number): void {
  spread.partSquares += part * part;
  spread.products += part * whole;
  spread.wholeSquares += whole * whole;
  spread.wholeCubes += whole * whole * whole;
}

export const addSpreads = (one: Spread, other: Spread): Spread => combine(one, other, 1);

/** The spread without that of some of its campaigns. */
export const subtractSpread = (all: Spread, some: Spread): Spread => combine(all, some, -1);

function combine(one: Spread, other: Spread, sign: 1 | -1): Spread {
  return {
    partSquares: one.partSquares + sign * other.partSquares,
    products: one.products + sign * other.products,
    wholeSquares: one.wholeSquares + sign * other.wholeSquares,
    wholeCubes: one.wholeCubes + sign * other.wholeCubes,
  };
}

/** The rate of several campaigns, as an estimate of the rate behind them. */
export interface Estimate {
  rate: number;
  /** The variance of the rate. */
  variance: number;
  /** The variance of the rates of single campaigns. */
  spread: number;
  /** The variance of their true rates, without chance. */
  between: number;
  /** Half the range in standard errors; more if few campaigns tell the variance. */
  errors: number;
}

/**
 * The ratio of the sums, with a variance from how much the campaigns differ. For campaigns of equal size it is the textbook's
 * `m / (m - 1) * Σ(part - rate * whole)² / (Σwhole)²` with m - 1 degrees of freedom. That is far too small if one campaign has
 * most of the recipients: it pulls the rate to its own. So the squares are divided by their expectation, halfway between
 * that of campaigns that vary by chance alone and that of campaigns that all vary alike, and the degrees of freedom are those
 * of Satterthwaite (1946). Of 95 % ranges of campaigns to 10 to 5,000 recipients, 70 to 85 % contain the truth without this.
 *
 * @param noise the variance of a rate of this size by chance alone
 * @returns undefined if the campaigns do not differ at all, or one of them is all
 */
export function estimateRate(
  { part, whole }: { part: number; whole: number },
  { partSquares, products, wholeSquares, wholeCubes }: Spread,
  noise: number,
): Estimate | undefined {
  const rate = part / whole;
  const [squares, cubes] = [wholeSquares / whole ** 2, wholeCubes / whole ** 3];
  const differences = (partSquares - 2 * rate * products + rate ** 2 * wholeSquares) / whole ** 2;
  const expected = squares * (1 + squares) - 2 * cubes;
  const isMeasurable = 1 - squares > 1e-5 && differences > 1e-12 * (partSquares / whole ** 2);
  if (!isMeasurable) return undefined;
  const freedom = (1 - squares) ** 2 / (squares - 2 * cubes + squares ** 2);
  return {
    rate,
    variance: (differences * (1 / (1 - squares) + squares / expected)) / 2,
    spread: differences / expected,
    between: Math.max((differences - noise * (1 - squares)) / expected, 0),
    errors: studentErrors(freedom),
  };
}

/** The range of the rate of several campaigns. */
export function rateRange({ rate, variance, errors }: Estimate): Range {
  return rangeAround(rate, errors * Math.sqrt(variance));
}

/** The range that the true rate of one more of these campaigns would be in. */
export function usualRange({ rate, variance, spread, errors }: Estimate): Range {
  return rangeAround(rate, errors * Math.sqrt(variance + spread));
}

/**
 * The range of the rate of some of these campaigns, such as those of a week: a week has too few to see how they differ.
 *
 * @param noise the variance of their rate by chance alone
 */
export function rangeOfSome(
  { part, whole }: { part: number; whole: number },
  { wholeSquares }: Spread,
  { between, errors }: Estimate,
  noise: number,
): Range {
  return rangeAround(part / whole, errors * Math.sqrt((between * wholeSquares) / whole ** 2 + noise));
}

function rangeAround(value: number, half: number): Range {
  return { low: value - half, high: value + half };
}

/**
 * The range of the mean of promoters (1) minus detractors (-1), by Agresti and Min (2005): with half a promoter, half a
 * detractor and one neutral more, it also holds for a few ratings that are all alike.
 *
 * @param difference promoters minus detractors. @param decided promoters and detractors
 */
export function indexRange(difference: number, decided: number, ratings: number): Range {
  const all = ratings + 2;
  const mean = difference / all;
  const variance = (decided + 1) / all - mean ** 2;
  return rangeAround(mean, normalErrors * Math.sqrt(variance / all));
}

/** A value with its range. */
export interface Ranged extends Range {
  value: number;
}

/** @param range null if nothing is known of the error of the value */
export function withRange(value: number, range: Range | null): Ranged {
  return { value, ...(range ?? { low: -Infinity, high: Infinity }) };
}

/**
 * Whether two values differ by more than twice the standard error of their difference. That is computed from the halves of
 * their ranges that face each other, which are {@link normalErrors} (Newcombe 1998, method 10).
 */
export function areDifferent(one: Ranged, other: Ranged): boolean {
  const [high, low] = one.value > other.value ? [one, other] : [other, one];
  const error = Math.hypot(high.value - high.low, low.high - low.value) / normalErrors;
  return high.value - low.value > 2 * error;
}

/**
 * What the difference of a rate from another one means: only one that is higher or lower is a success or a failure. One beyond
 * chance is seasonal if the range of the rate has that of the same dates a year before.
 */
type ChangeKind = "higher" | "lower" | "seasonal" | "cannot_tell";

export function changeKind(rate: Ranged, before: Ranged, yearBefore: number | null = null): ChangeKind {
  if (!areDifferent(rate, before)) return "cannot_tell";
  if (yearBefore !== null && rate.low <= yearBefore && yearBefore <= rate.high) return "seasonal";
  return rate.value > before.value ? "higher" : "lower";
}

/**
 * The likely true rate of a campaign among others: its own rate, pulled to theirs by as much as chance weighs (the
 * mean of a beta-binomial distribution).
 */
export function shrunkRate({ part, whole }: { part: number; whole: number }, others: Estimate): Ranged {
  const { rate, variance, between } = others;
  if (between === 0) return { value: rate, ...rateRange(others) };
  /** This many recipients say as much as the others. */
  const weight = Math.max((rate * (1 - rate)) / between - 1, 0);
  const value = (part + weight * rate) / (whole + weight);
  const own = (value * (1 - value)) / (whole + weight + 1);
  const half = normalErrors * Math.sqrt(own + variance * (weight / (whole + weight)) ** 2);
  return { value, ...rangeAround(value, half) };
}

/**
 * Which of several groups differ from the rate of all by more than chance, in their order: -1 below, 1 above. Of many groups, some
 * differ by chance, so each is pulled to the rate of all by as much as chance weighs: how much the true rates of groups differ
 * is estimated from how much more the groups differ than their ranges explain (DerSimonian and Laird 1986).
 */
export function standingOut(groups: readonly Ranged[], all: number): (-1 | 0 | 1)[] {
  const variances = groups.map(({ low, high }) => ((high - low) / 2 / normalErrors) ** 2);
  const weights = variances.map((variance) => (variance > 0 ? 1 / variance : 0));
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const differences = sum(groups.map(({ value }, index) => (weights[index] ?? 0) * (value - all) ** 2));
  const scale = sum(weights) - sum(weights.map((weight) => weight ** 2)) / sum(weights);
  const between = Math.max((differences - (groups.length - 1)) / scale, 0);
  return groups.map(({ value }, index) => {
    const variance = variances[index] ?? 0;
    // Groups that do not differ at all have nothing to be scaled by.
    if (!(between > 0)) return 0;
    const share = between / (between + variance);
    const half = normalErrors * Math.sqrt(variance * share);
    const pulled = all + share * (value - all);
    const exact = { value: all, low: all, high: all };
    if (!areDifferent({ value: pulled, ...rangeAround(pulled, half) }, exact)) return 0;
    return pulled > all ? 1 : -1;
  });
}

/**
 * 95 % of Student's distribution are within so many standard errors, to one in 5,000. Its inverse has no closed form: this is
 * a polynomial of 1 / freedom that fits its logarithm.
 *
 * @param freedom at least 1
 */
export function studentErrors(freedom: number): number {
  const coefficients = [0.1015, -0.3183, 0.1682, 0.7076, 1.2101, 0.6729];
  return Math.exp(coefficients.reduce((sum, coefficient) => sum / freedom + coefficient, 0));
}
