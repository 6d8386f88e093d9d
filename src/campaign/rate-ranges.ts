// The ranges of rates: of one campaign by chance, and of several from how much they differ.

import {
  addSpreads,
  type Estimate,
  estimateRate,
  indexRange,
  type Range,
  type Ranged,
  rangeOfSome,
  rateRange,
  type Spread,
  shareRange,
  subtractSpread,
  usualRange,
  withRange,
} from "./ranges.ts";
import { type CoveredRateName, type RateParts, rateOfParts, ratePartsOf } from "./sum-rates.ts";
import { addSums, emptySums, type Sums } from "./sums.ts";

/** Sums of several campaigns with the spread of some rates, so that these have ranges. */
export interface SpreadSums extends Sums {
  spreads: Spreads;
}

export type Spreads = Partial<Record<CoveredRateName, Spread>>;

/** Adds sums with the spreads of the same rates. */
export function addSpreadSums(to: SpreadSums, sums: SpreadSums): void {
  const { spreads } = sums;
  addSums(to, sums);
  for (const name of Object.keys(spreads) as CoveredRateName[]) {
    const [own, added] = [to.spreads[name], spreads[name] as Spread];
    to.spreads[name] = own ? addSpreads(own, added) : added;
  }
}

/** The sums of sums. */
export function addUpSums(all: Iterable<SpreadSums>): SpreadSums {
  const total: SpreadSums = { ...emptySums(), spreads: {} };
  for (const sums of all) addSpreadSums(total, sums);
  return total;
}

/** The sums of the campaigns of `all` that are not among `some`. */
export function othersOf(all: SpreadSums, { spreads, ...some }: SpreadSums): SpreadSums {
  const { spreads: ofAll, ...sums } = all;
  const others: SpreadSums = { ...sums, spreads: {} };
  for (const name of Object.keys(some) as (keyof Sums)[]) others[name] -= some[name];
  for (const name of Object.keys(spreads) as CoveredRateName[]) {
    const [spread, own] = [ofAll[name], spreads[name]];
    if (spread && own) others.spreads[name] = subtractSpread(spread, own);
  }
  return others;
}

/** The 95 % range of a rate; null if there is no rate, or not enough is known for a range. */
export function rangeOf(sums: Sums | SpreadSums, name: CoveredRateName): Range | null {
  return rangeOfParts(ratePartsOf(sums, name), name, "spreads" in sums ? sums.spreads[name] : undefined);
}

/** A rate with its range; null if there is none. */
export function rangedRateOf(sums: Sums | SpreadSums, name: CoveredRateName): Ranged | null {
  const rate = rateOfParts(ratePartsOf(sums, name));
  return rate === null ? null : withRange(rate, rangeOf(sums, name));
}

/** @param spread that of several campaigns: without it they have no range, because they have the same recipients */
export function rangeOfParts(parts: RateParts, name: CoveredRateName, spread?: Spread): Range | null {
  if (rateOfParts(parts) === null) return null;
  const chance = rangeOfOne(parts, name);
  if (parts.from <= 1) return chance;
  if (!spread) return null;
  const estimate = estimateOf(parts, name, spread);
  const range = estimate ? clamp(rateRange(estimate), name) : chance;
  // A few campaigns may differ by less than chance explains.
  return range && chance
    ? { low: Math.min(range.low, chance.low), high: Math.max(range.high, chance.high) }
    : range;
}

/** How a rate of campaigns varies among them. Undefined if that cannot be seen. */
export function estimateOf(parts: RateParts, name: CoveredRateName, spread: Spread): Estimate | undefined {
  return estimateRate(parts, spread, noiseOf(parts, name) / parts.whole);
}

/** The variance of a rate by chance alone, times what it is a share of. */
function noiseOf({ part, whole, squares }: RateParts, name: CoveredRateName): number {
  return Math.max(squares / whole - (part / whole) ** 2, 0) * unitsOf(name);
}

/** The rate of some campaigns, such as those of a week, with its range; null if there is none. */
export function rateOfSome(some: SpreadSums, all: SpreadSums, name: CoveredRateName): Ranged | null {
  const [own, others] = [some, all].map((sums) => ({
    parts: ratePartsOf(sums, name),
    spread: sums.spreads[name],
  })) as [SpreadParts, SpreadParts];
  const value = rateOfParts(own.parts);
  return value === null ? null : withRange(value, rangeOfSomeParts(own, others, name));
}

/**
 * The rate of a group of campaigns, such as those of a team. A group of one does not say how much its campaigns differ: that
 * is taken from all, so that one campaign is not surer than two.
 */
export function rateOfGroup(group: SpreadSums, all: SpreadSums, name: CoveredRateName): Ranged | null {
  const isOne = ratePartsOf(group, name).from === 1;
  return isOne ? rateOfSome(group, all, name) : rangedRateOf(group, name);
}

interface SpreadParts {
  parts: RateParts;
  spread: Spread | undefined;
}

/**
 * How much campaigns differ is taken from all of the period: two campaigns of a week say too little about it. The range of
 * all of them is the same as everywhere else.
 *
 * @param all includes the campaigns of the first
 */
export function rangeOfSomeParts(
  { parts, spread }: SpreadParts,
  all: SpreadParts,
  name: CoveredRateName,
): Range | null {
  const isAll = parts.from === all.parts.from;
  const estimate = isAll ? undefined : all.spread && estimateOf(all.parts, name, all.spread);
  if (!spread || !estimate) return rangeOfParts(parts, name, spread);
  return clamp(rangeOfSome(parts, spread, estimate, noiseOf(all.parts, name) / parts.whole), name);
}

/** The rate of some campaigns with the range that one more would be in; null if there is no rate. */
export function usualOf(parts: RateParts, name: CoveredRateName, spread: Spread): Ranged | null {
  const value = rateOfParts(parts);
  if (value === null) return null;
  const estimate = estimateOf(parts, name, spread);
  const range = estimate ? clamp(usualRange(estimate), name) : rangeOfOne(parts, name);
  return withRange(value, range);
}

/** The range of a rate by chance alone. Of an average rating, only the average is known. */
function rangeOfOne({ part, whole, squares }: RateParts, name: CoveredRateName): Range | null {
  if (name === "enpsMean") return null;
  if (name !== "enpsIndex") return shareRange(Math.min(part, whole) / unitsOf(name), whole / unitsOf(name));
  const { low, high } = indexRange(part / 100, squares / 10_000, whole);
  return clamp({ low: 100 * low, high: 100 * high }, name);
}

/** Sums have devices and reads times 100. */
function unitsOf(name: CoveredRateName): number {
  return ["desktopShare", "mobileShare", "glancedShare", "skimmedShare", "readShare"].includes(name)
    ? 100
    : 1;
}

/** The lowest and the highest value of a rate. */
function boundsOf(name: CoveredRateName): Range {
  if (name === "enpsIndex") return { low: -100, high: 100 };
  return { low: 0, high: name === "enpsMean" ? 10 : 1 };
}

function clamp({ low, high }: Range, name: CoveredRateName): Range {
  const bounds = boundsOf(name);
  return { low: Math.max(low, bounds.low), high: Math.min(high, bounds.high) };
}
