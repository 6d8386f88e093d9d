// Organizations whose true rates are known: how often ranges contain them, and whether the best campaigns are good ones.

import assert from "node:assert/strict";
import test from "node:test";
import { addSpreads, type Range, spreadOf } from "../../../src/campaign/ranges.ts";
import { rangeOfParts, rangeOfSomeParts, usualOf } from "../../../src/campaign/rate-ranges.ts";
import type { CoveredRateName, RateParts } from "../../../src/campaign/sum-rates.ts";
import { bestAndWorst, rankRates } from "../../../src/listing/sums/best-and-worst.ts";
import { compareTimes, type EarlyOpened, type SendingTime } from "../../../src/listing/sums/sending-times.ts";
import { Random } from "../../support/histories.ts";
import { isFullSize, randomCases, report } from "../../support/random-cases.ts";

const runs = randomCases(12, 300);

class Chance extends Random {
  uniform(): number {
    return this.between(0, 999_999) / 1_000_000;
  }

  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.uniform())) * Math.cos(2 * Math.PI * this.uniform());
  }

  /** Many of them follow the normal distribution. */
  howMany(all: number, rate: number): number {
    const variance = all * rate * (1 - rate);
    if (variance > 50) return Math.round(all * rate + Math.sqrt(variance) * this.normal());
    return Array.from({ length: all }, () => this.uniform()).filter((each) => each < rate).length;
  }

  recipients(from: number, to: number): number {
    return Math.round(from * (to / from) ** this.uniform());
  }

  /** Not so far from the mean that rates below 0 or above 1 would move it. */
  near(mean: number, deviation: number): number {
    const most = Math.min(mean, 1 - mean);
    for (;;) {
      const difference = deviation * this.normal();
      if (Math.abs(difference) < most) return mean + difference;
    }
  }
}

/** The numbers of recipients of a team: the same list, lists of other sizes, or anything from a test to everybody. */
function sizesOf(chance: Chance, campaigns: number): number[] {
  const [usual, kind] = [chance.recipients(50, 2_000), chance.between(1, 3)];
  return Array.from({ length: campaigns }, () => {
    if (kind === 1) return Math.max(Math.round(usual * (1 + 0.03 * chance.normal())), 10);
    return kind === 2
      ? Math.max(Math.round(usual * Math.exp(0.5 * chance.normal())), 10)
      : chance.recipients(10, 5_000);
  });
}

const partsOf = (part: number, whole: number, squares = part): RateParts => {
  return { part, whole, squares, from: 1, of: 1, toldApart: 1 };
};

function together(campaigns: readonly RateParts[]) {
  const sum = (name: keyof RateParts) => campaigns.reduce((total, each) => total + each[name], 0);
  const parts = { ...partsOf(sum("part"), sum("whole"), sum("squares")), from: campaigns.length };
  const spread = campaigns.map(({ part, whole }) => spreadOf(part, whole)).reduce(addSpreads, spreadOf(0, 0));
  return { parts, spread };
}

/** Counts how many of the ranges contain the truth. */
class Coverage {
  readonly #counts = new Map<string, { inside: number; of: number }>();

  add(what: string, range: Range | null, truth: number): void {
    const count = this.#counts.get(what) ?? { inside: 0, of: 0 };
    count.of += 1;
    if (range && range.low <= truth && truth <= range.high) count.inside += 1;
    this.#counts.set(what, count);
  }

  /** @param within so many points in the full run. @param above as many more, if not the same */
  check(within = 1, above = within): void {
    for (const [what, { inside, of }] of this.#counts) {
      const share = (100 * inside) / of;
      report(`${what}: ${share.toFixed(2)} % of ${of} ranges contain the truth`);
      const chance = 400 * Math.sqrt((0.95 * 0.05) / of);
      const [least, most] = isFullSize ? [within, above] : [chance, chance];
      assert.ok(share >= 95 - least && share <= 95 + most, `${what}: ${share} % of ${of}`);
    }
  }
}

test("95 % of the ranges of rates contain the true rate, from one campaign and from two on", () => {
  const coverage = new Coverage();
  for (let seed = 1; seed <= runs; seed++) {
    const chance = new Chance(seed);
    const rates: readonly [CoveredRateName, mean: number, deviation: number][] = [
      ["openRate", 0.5, 0.05],
      ["openRate", 0.65, 0.1],
      ["clickRate", 0.06, 0.02],
    ];
    for (const [name, mean, deviation] of rates) {
      for (const size of [2, 2, 2, 3, 3, 3, 5, 5, 5, 13, 13, 40, 40]) {
        const campaigns = sizesOf(chance, size).map((whole) => {
          const truth = chance.near(mean, deviation);
          const parts = partsOf(chance.howMany(whole, truth), whole);
          coverage.add(`${name} of one campaign`, rangeOfParts(parts, name), truth);
          return parts;
        });
        const { parts, spread } = together(campaigns);
        const range = rangeOfParts(parts, name, spread);
        coverage.add(`rates of ${size} campaigns`, range, mean);
        coverage.add("rates of several campaigns", range, mean);
      }
    }
  }
  // Two campaigns may be closer than chance explains. Their range is as wide as chance, so that more contain the truth.
  coverage.check(1, 2.5);
});

test("95 % of the ranges of the rates of weeks contain the true rate, although a week has few campaigns", () => {
  const coverage = new Coverage();
  for (let seed = 1; seed <= runs; seed++) {
    const chance = new Chance(seed);
    for (const [name, mean, deviation] of [
      ["openRate", 0.5, 0.05],
      ["openRate", 0.65, 0.1],
      ["clickRate", 0.06, 0.02],
    ] as const) {
      const campaigns = sizesOf(chance, 13).map((whole) =>
        partsOf(chance.howMany(whole, chance.near(mean, deviation)), whole),
      );
      const all = together(campaigns);
      for (const [from, size] of [1, 2, 3, 1, 2, 3].entries()) {
        const range = rangeOfSomeParts(together(campaigns.slice(2 * from, 2 * from + size)), all, name);
        coverage.add(`weeks of ${size} campaigns`, range, mean);
      }
    }
  }
  // A week far from the others is one of those that say how much campaigns differ, so that ranges are a little too wide.
  coverage.check(4);
});

test("95 % of the ranges of the eNPS contain the true index", () => {
  const coverage = new Coverage();
  for (let seed = 1; seed <= runs; seed++) {
    const chance = new Chance(seed);
    for (let campaign = 0; campaign < 40; campaign++) {
      const [promoters, detractors] = [0.2 + 0.4 * chance.uniform(), 0.1 + 0.2 * chance.uniform()];
      const ratings = chance.recipients(5, 500);
      const given = Array.from({ length: ratings }, () => chance.uniform());
      const own = given.filter((each) => each < promoters).length;
      const other = given.filter((each) => each > 1 - detractors).length;
      const parts = partsOf(100 * (own - other), ratings, 10_000 * (own + other));
      coverage.add("eNPS", rangeOfParts(parts, "enpsIndex"), 100 * (promoters - detractors));
    }
  }
  coverage.check();
});

test("95 % of the next campaigns of a team are in its usual range, with their own chance", () => {
  const coverage = new Coverage();
  for (let seed = 1; seed <= runs; seed++) {
    const chance = new Chance(seed);
    for (let team = 0; team < 20; team++) {
      const size = chance.between(3, 30);
      const campaigns = sizesOf(chance, size).map((whole) =>
        partsOf(chance.howMany(whole, chance.near(0.5, 0.05)), whole),
      );
      const { parts, spread } = together(campaigns);
      coverage.add("next campaigns", usualOf(parts, "openRate", spread), chance.near(0.5, 0.05));
    }
  }
  coverage.check();
});

/** 120 campaigns to 10 to 5,000 recipients. @param deviation of the true rates, which are 50 % in the mean */
function simulate(chance: Chance, deviation: number, teams: number) {
  const campaigns = Array.from({ length: 120 }, (_, id) => {
    const [truth, whole] = [chance.near(0.5, deviation), chance.recipients(10, 5_000)];
    const part = chance.howMany(whole, truth);
    const parts = [part, whole, part, 1, 1, 1];
    const team = teams === 0 ? null : `Team ${id % teams}`;
    return { id, sentAt: 0, team, truth, parts, given: [null] };
  });
  const ranked = bestAndWorst(rankRates(campaigns), 5);
  return { campaigns, ...ranked };
}

test("the five best of 120 campaigns truly are: 58 % and more, where the mean is 50 ± 5 %", () => {
  for (const teams of [0, 1, 8, 24, 40]) {
    const found = { truth: 0, of: 0, few: 0 };
    for (let seed = 1; seed <= runs; seed++) {
      const { campaigns, best } = simulate(new Chance(seed), 0.05, teams);
      for (const { truth, parts } of best.flatMap((id) => campaigns[id] ?? [])) {
        found.truth += truth;
        found.of += 1;
        if ((parts[1] ?? 0) < 100) found.few += 1;
      }
    }
    const mean = (100 * found.truth) / found.of;
    report(
      `${teams} teams: the best are truly ${mean.toFixed(2)} %, ${((100 * found.few) / found.of).toFixed(1)} % with fewer than 100 recipients`,
    );
    assert.ok(mean >= (isFullSize ? 58 : 57), `${teams} teams: ${mean}`);
    assert.equal(found.of, 5 * runs);
  }
});

test("nothing stands out among campaigns that differ only by chance", () => {
  let listed = 0;
  for (let seed = 1; seed <= runs; seed++) {
    const { best, worst } = simulate(new Chance(seed), 0, 1);
    listed += best.length + worst.length;
  }
  report(`${(listed / runs).toFixed(2)} of 120 campaigns stand out by chance`);
  assert.ok(listed / runs < 0.5, `${listed} in ${runs} runs`);
});

interface SeriesOfWorld {
  rate: number;
  /** The hour at which it is usually sent. */
  hour: number;
}

/**
 * 120 campaigns of six series with their own rates and hours, as a company sends them. Some are sent at another hour than usual.
 *
 * @param effect how much better every series does at the first hour
 */
function timedCampaigns(
  chance: Chance,
  { effect = 0, strays = 0.4 }: { effect?: number; strays?: number },
): EarlyOpened[] {
  const series = Array.from({ length: 6 }, (_, index): SeriesOfWorld => {
    return { rate: 0.15 + 0.5 * chance.uniform(), hour: index };
  });
  return sizesOf(chance, 120).map((recipients) => {
    const of = chance.between(0, series.length - 1);
    const { rate, hour: usual } = series[of] as SeriesOfWorld;
    const hour = chance.uniform() < strays ? chance.between(0, 5) : usual;
    const own = chance.near(rate, 0.05) + (hour === 0 ? effect : 0);
    const opens = Math.min(chance.howMany(recipients, own), recipients);
    return { weekday: 0, hour, labels: [`Series ${of}`], recipients, opens };
  });
}

const worlds = 10 * runs;

/** The share of worlds in which some hour, or the first one, is said to be better or worse. */
function claimsIn(seed: number, options: Parameters<typeof timedCampaigns>[1]) {
  const chance = new Chance(seed);
  const judged = Array.from({ length: worlds }, () => compareTimes(timedCampaigns(chance, options)).times);
  const share = (holds: (time: SendingTime) => boolean) =>
    judged.filter((times) => times.some(holds)).length / worlds;
  return { any: share(({ side }) => side !== 0), first: share(({ hour, side }) => hour === 0 && side === 1) };
}

test("says of few hours that they stand out where only series differ, and finds one that is better for all", () => {
  const none = claimsIn(7, {}).any;
  const found = claimsIn(8, { effect: 0.15 }).first;
  report(`hours that stand out: wrongly in ${none}, found in ${found}`);
  assert.ok(none < 0.06, String(none));
  assert.ok(found > 0.8, String(found));
});

test("says nothing of hours at which one series alone is sent", () => {
  assert.equal(claimsIn(9, { effect: 0.15, strays: 0 }).any, 0);
  const chance = new Chance(10);
  for (let world = 0; world < runs; world++) {
    const campaigns = timedCampaigns(chance, { effect: 0.3 });
    // All that are sent at the first hour have one tag, some of them beside another one.
    for (const each of campaigns.filter(({ hour }) => hour === 0)) {
      each.labels = ["Owner", ...each.labels.slice(0, chance.between(0, 1))];
    }
    const [first] = compareTimes(campaigns).times;
    assert.deepEqual([first?.hour, first?.owner, first?.side], [0, "Owner", 0]);
  }
});

test("compares the hours of a series that is alone", () => {
  const campaigns = Array.from({ length: 60 }, (_, index): EarlyOpened => {
    const hour = 8 + (index % 6);
    const opens = (hour === 9 ? 60 : 30) + (index % 5);
    return { weekday: 1, hour, labels: ["A"], recipients: 100, opens };
  });
  const outstanding = compareTimes(campaigns).times.filter(({ side }) => side === 1);
  assert.deepEqual(
    outstanding.map(({ hour, owner }) => [hour, owner]),
    [[9, undefined]],
  );
});
