// What follows from sums over groups: how much each cell has at least and at most. A cell are the people who share the value of
// every attribute, and of them the sums are known for the groups of each attribute. Sound, but for three attributes not complete.

interface Bounds {
  low: number;
  high: number;
}
export interface KnownSum {
  cells: readonly number[];
  sum: number;
}

/** What a reader knows at one time. */
export type Reading = readonly KnownSum[];

/**
 * Bounds of counts that only grow, after the last of some readings.
 *
 * @param sizes how many people each cell has
 * @param readings sums since the beginning, in order of time
 */
export function boundCounts(sizes: readonly number[], readings: readonly Reading[]): Bounds[] {
  const full = () => sizes.map((high) => ({ low: 0, high }));
  const totals = readings.map(full);
  const steps = readings.map(full);
  const grown = readings.map((reading, time) => subtract(reading, readings[time - 1]));
  const orders = [readings.map((_, time) => time), readings.map((_, time) => readings.length - 1 - time)];
  for (let rounds = 0; rounds < 20; rounds++) {
    let isNarrower = false;
    for (const time of orders[rounds % 2] ?? []) {
      const [total = [], step = [], before] = [totals[time], steps[time], totals[time - 1]];
      if (narrow(total, readings[time] ?? []) || narrow(step, grown[time] ?? [])) isNarrower = true;
      for (const [cell, now] of total.entries()) {
        const earlier = before?.[cell] ?? { low: 0, high: 0 };
        const more = step[cell] as Bounds;
        const changes = [
          tighten(now, earlier.low + more.low, earlier.high + more.high),
          tighten(more, now.low - earlier.high, now.high - earlier.low),
          before !== undefined && tighten(earlier, now.low - more.high, now.high - more.low),
        ];
        if (changes.includes(true)) isNarrower = true;
      }
    }
    if (!isNarrower) break;
  }
  return totals.at(-1) ?? full();
}

/** The sums that both readings have, as what was added between them. */
function subtract(reading: Reading, before: Reading | undefined): Reading {
  if (!before) return reading;
  const sums = new Map(before.map(({ cells, sum }) => [cells.join(" "), sum]));
  return reading.flatMap(({ cells, sum }) => {
    const earlier = sums.get(cells.join(" "));
    return earlier === undefined ? [] : [{ cells, sum: sum - earlier }];
  });
}

/** @returns whether a bound is narrower now */
export function narrow(bounds: readonly Bounds[], sums: Reading): boolean {
  let isNarrower = false;
  for (const { cells, sum } of sums) {
    let [low, high] = [0, 0];
    for (const cell of cells) {
      low += bounds[cell]?.low ?? 0;
      high += bounds[cell]?.high ?? 0;
    }
    for (const cell of cells) {
      const own = bounds[cell] as Bounds;
      const before = { ...own };
      if (tighten(own, sum - (high - own.high), sum - (low - own.low))) isNarrower = true;
      low += own.low - before.low;
      high += own.high - before.high;
    }
  }
  return isNarrower;
}

function tighten(bounds: Bounds, low: number, high: number): boolean {
  const isNarrower = low > bounds.low || high < bounds.high;
  bounds.low = Math.max(bounds.low, low);
  bounds.high = Math.min(bounds.high, high);
  return isNarrower;
}
