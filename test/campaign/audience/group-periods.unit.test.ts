// Which groups differ from the others, or from their own periods before, in simulated organizations whose truth is known.

import assert from "node:assert/strict";
import test from "node:test";
import {
  comparePeriods,
  emptyPeriod,
  findRun,
  type GroupPeriod,
} from "../../../src/campaign/audience/group-periods.ts";
import { Random } from "../../support/histories.ts";
import { randomCases, report } from "../../support/random-cases.ts";

interface World {
  sizes: readonly number[];
  /** How many campaigns each period has. */
  campaigns: readonly number[];
  /** How much people differ, in log odds; from 5 on nearly all do the same each time. */
  habits: number;
  /** What is added to the log odds of a group in a period. */
  shift?: (group: number, period: number) => number;
  /** Every campaign without this group. */
  misses?: { group: number; every: number };
}

/** The mean of 12 is nearly normal. */
const normal = (random: Random) =>
  Array.from({ length: 12 }, () => random.between(0, 1_000_000) / 1_000_000).reduce(
    (sum, each) => sum + each,
    -6,
  );

/** Campaigns and periods differ, and people do, but groups only by `shift`. */
function simulate(
  random: Random,
  { sizes, campaigns, habits, shift = () => 0, misses }: World,
): GroupPeriod[][] {
  const people = sizes.map((size) => Array.from({ length: size }, () => habits * normal(random)));
  const groups = sizes.map(() => campaigns.map(emptyPeriod));
  const usual = 0.7 * normal(random);
  let sent = 0;
  for (const [period, count] of campaigns.entries()) {
    const season = usual + 0.3 * normal(random);
    for (let each = 0; each < count; each++) {
      const subject = season + 0.4 * normal(random);
      sent += 1;
      const opens = people.map((group, index) => {
        if (misses?.group === index && sent % misses.every === 0) return undefined;
        const odds = subject + shift(index, period);
        return group.filter((habit) => random.chance(100 / (1 + Math.exp(-odds - habit)))).length;
      });
      const got = opens.flatMap((own, index) =>
        own === undefined ? [] : [{ own, size: sizes[index] ?? 0 }],
      );
      const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
      const rate = sum(got.map(({ own }) => own)) / sum(got.map(({ size }) => size));
      for (const [index, own] of opens.entries()) {
        const cell = groups[index]?.[period];
        if (own === undefined || !cell) continue;
        const size = sizes[index] ?? 0;
        cell.campaigns += 1;
        cell.opens += own;
        cell.recipients += size;
        cell.expected += size * rate;
      }
    }
  }
  return comparePeriods(groups, campaigns);
}

const listOf = (random: Random, [from, until]: readonly [number, number], make: () => number) =>
  Array.from({ length: random.between(from, until) }, make);

test("claims a run in hardly any organization whose groups do not differ", () => {
  const worlds = randomCases(160, 2_000);
  for (const habits of [0, 1, 3, 8]) {
    const random = new Random(habits + 1);
    const claims = { run: 0, side: 0, change: 0 };
    for (let world = 0; world < worlds; world++) {
      const rows = simulate(random, {
        sizes: listOf(random, [2, 12], () => Math.round(12 * (400 / 12) ** (random.between(0, 100) / 100))),
        campaigns: listOf(random, [2, 12], () => random.between(1, 5)),
        habits,
      });
      if (findRun(rows)) claims.run += 1;
      if (rows.flat().some(({ side }) => side !== 0)) claims.side += 1;
      if (rows.flat().some(({ change }) => change !== 0)) claims.change += 1;
    }
    report(
      `habits ${habits}: of ${worlds} organizations without a difference, ${claims.run} have a sentence, ${claims.side} a group beside the others, ${claims.change} one that changed`,
    );
    assert.ok(claims.run <= 0.05 * worlds, `${claims.run} runs`);
    assert.ok(Math.max(claims.side, claims.change) <= 0.15 * worlds, JSON.stringify(claims));
  }
});

const eight = [400, 380, 420, 300, 350, 250, 500, 410];

test("finds a group that is below the others since a period, and from then on", () => {
  const random = new Random(7);
  const right = Array.from({ length: 20 }, () => {
    const rows = simulate(random, {
      ...{ sizes: eight, campaigns: [2, 2, 2, 2, 2, 2], habits: 1 },
      shift: (group, period) => (group === 1 && period >= 3 ? -1.2 : 0),
    });
    const run = findRun(rows);
    return run?.group === 1 && run.side === -1 && run.from === 3 && rows[1]?.[3]?.change === -1;
  });
  assert.ok(right.filter(Boolean).length >= 18, `${right.filter(Boolean).length} of 20`);
});

test("is silent after a group is like the others again, or in its first period", () => {
  const random = new Random(8);
  for (const wasBelow of [(period: number) => period < 5, (period: number) => period === 5]) {
    const claims = Array.from({ length: 20 }, () =>
      findRun(
        simulate(random, {
          ...{ sizes: eight, campaigns: [2, 2, 2, 2, 2, 2], habits: 1 },
          shift: (group, period) => (group === 1 && wasBelow(period) ? -1.2 : 0),
        }),
      ),
    );
    assert.ok(claims.filter(Boolean).length <= 1);
  }
});

test("marks no change that all groups have", () => {
  const random = new Random(9);
  let marked = 0;
  for (let world = 0; world < 20; world++) {
    const rows = simulate(random, {
      ...{ sizes: eight, campaigns: [4, 4, 4], habits: 1 },
      shift: (_, period) => (period === 2 ? -1.5 : 0),
    });
    if (rows.some((row) => row[2]?.change !== 0)) marked += 1;
  }
  assert.ok(marked <= 2, `${marked} of 20`);
});

test("follows a run up to the last period in which a group has a rate", () => {
  const random = new Random(11);
  const shift = (group: number) => (group === 0 ? -3 : 0);
  const rows = simulate(random, { sizes: [300, 300, 300], campaigns: [2, 2, 2], habits: 0, shift });
  const fresh = rows.map((row) => [
    ...row,
    { ...(row[0] as GroupPeriod), isCovered: false, side: 0 as const },
  ]);
  assert.equal(findRun(rows)?.from, 0);
  assert.deepEqual(findRun(fresh), findRun(rows));
  assert.equal(findRun([]), undefined);
});

test("does not compare a group below half of the campaigns, or one without others", () => {
  const random = new Random(10);
  const world = { sizes: [300, 300, 300], campaigns: [4, 4, 5], habits: 0 };
  const shift = (group: number) => (group === 0 ? -3 : 0);
  const half = simulate(random, { ...world, shift, misses: { group: 0, every: 2 } });
  assert.deepEqual(
    half[0]?.map(({ campaigns, of, isCovered, side }) => [campaigns, of, isCovered, side]),
    [
      [2, 4, true, -1],
      [2, 4, true, -1],
      [3, 5, true, -1],
    ],
  );
  const fewer = simulate(random, { ...world, campaigns: [5, 4, 3], shift, misses: { group: 0, every: 2 } });
  assert.deepEqual(fewer[0]?.[2]?.isCovered, false);
  assert.equal(fewer[0]?.[2]?.side, 0);
  assert.equal(findRun(fewer), undefined);
  const alone = simulate(random, { ...world, sizes: [300] });
  assert.ok(alone.flat().every(({ side, change }) => side === 0 && change === 0));
});

test("marks the distance to the others, so a lower rate may have no mark", () => {
  const cell = (opens: number, expected: number) => ({
    ...emptyPeriod(),
    ...{ campaigns: 1, recipients: 60, opens, expected },
  });
  const rows = comparePeriods(
    [
      [cell(30, 39), cell(27, 31)],
      [cell(48, 39), cell(35, 31)],
    ],
    [1, 1],
  );
  assert.deepEqual(
    rows.map((row) => row.map(({ side }) => side)),
    [
      [-1, 0],
      [1, 0],
    ],
  );
});
