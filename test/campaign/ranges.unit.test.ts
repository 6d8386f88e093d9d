// Ranges of rates, compared with slow textbook versions.

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import {
  addSpreads,
  areDifferent,
  estimateRate,
  indexRange,
  shareRange,
  shrunkRate,
  spreadOf,
  studentErrors,
  withRange,
} from "../../src/campaign/ranges.ts";
import { randomCases } from "../support/random-cases.ts";
import { slowEstimate, slowShareRange, slowStudentErrors } from "../support/slow-ranges.ts";

const anyShare = fc
  .integer({ min: 1, max: 1_000_000 })
  .chain((whole) => fc.record({ part: fc.integer({ min: 0, max: whole }), whole: fc.constant(whole) }));

const isNear = (one: number, other: number, tolerance: number) =>
  Math.abs(one - other) <= tolerance * Math.max(Math.abs(other), 1e-9);

test("gives the range of a share: what a score test does not reject", () => {
  assert.deepEqual(shareRange(0, 10), { low: 0, high: 0.2775327998628892 });
  assert.deepEqual(shareRange(10, 10), { low: 0.7224672001371107, high: 1 });
  const property = fc.property(anyShare, ({ part, whole }) => {
    const [{ low, high }, slow] = [shareRange(part, whole), slowShareRange(part, whole)];
    assert.ok(Math.abs(low - slow.low) < 1e-9 && Math.abs(high - slow.high) < 1e-9);
    assert.ok(low >= 0 && low <= part / whole && part / whole <= high && high <= 1);
  });
  fc.assert(property, { numRuns: randomCases(300) });
});

const spreadOfAll = (campaigns: readonly { part: number; whole: number }[]) =>
  campaigns.map(({ part, whole }) => spreadOf(part, whole)).reduce(addSpreads, spreadOf(0, 0));
const sumOf = (campaigns: readonly { part: number; whole: number }[]) => ({
  part: campaigns.reduce((sum, { part }) => sum + part, 0),
  whole: campaigns.reduce((sum, { whole }) => sum + whole, 0),
});

test("estimates the rate of several campaigns from sums as a textbook does from the campaigns", () => {
  const equal = [40, 50, 60].map((part) => ({ part, whole: 100 }));
  const found = estimateRate(sumOf(equal), spreadOfAll(equal), 0);
  assert.ok(found && isNear(found.variance, ((3 / 2) * 200) / 300 ** 2, 1e-12));
  assert.ok(isNear(found.errors, 4.3027, 0.000_2));
  const property = fc.property(fc.array(anyShare, { minLength: 2, maxLength: 12 }), (campaigns) => {
    const estimate = estimateRate(sumOf(campaigns), spreadOfAll(campaigns), 0);
    const { rate, variance, freedom } = slowEstimate(campaigns);
    // Nearly all of one campaign, or campaigns that hardly differ: rounding errors would remain.
    fc.pre(estimate !== undefined && variance > 1e-9 && freedom > 1.000_1);
    assert.ok(isNear(estimate.rate, rate, 1e-9));
    assert.ok(isNear(estimate.variance, variance, 1e-4), `${estimate.variance} is not ${variance}`);
    assert.ok(isNear(estimate.errors, studentErrors(freedom), 1e-4));
  });
  fc.assert(property, { numRuns: randomCases(200) });
});

test("says nothing of campaigns that do not differ, or if one of them has nearly all recipients", () => {
  const of = (...campaigns: { part: number; whole: number }[]) =>
    estimateRate(sumOf(campaigns), spreadOfAll(campaigns), 0);
  assert.equal(of({ part: 5, whole: 10 }, { part: 500, whole: 1_000 }), undefined);
  assert.equal(of({ part: 0, whole: 10 }, { part: 0, whole: 1_000 }), undefined);
  assert.equal(of({ part: 5, whole: 10 }, { part: 3_000_000, whole: 10_000_000 }), undefined);
});

test("gives the quantiles of Student's distribution, also of a fraction of a degree", () => {
  for (const freedom of [1, 1.2, 1.5, 1.9, 2, 2.5, 3, 4.7, 10, 30, 200]) {
    const [found, slow] = [studentErrors(freedom), slowStudentErrors(freedom)];
    assert.ok(isNear(found, slow, 0.000_2), `${freedom}: ${found} is not ${slow}`);
  }
});

test("gives an index of few ratings a wide range, also if they are all alike", () => {
  const halfOf = (difference: number, decided: number, ratings: number) => {
    const { low, high } = indexRange(difference, decided, ratings);
    return Math.round(50 * (high - low));
  };
  assert.equal(halfOf(2, 10, 12), 46);
  assert.equal(halfOf(200, 1_000, 1_200), 5);
  assert.equal(halfOf(12, 12, 12), 23);
});

test("tells a difference from chance: beyond twice its standard error", () => {
  const rate = (part: number, whole: number) => withRange(part / whole, shareRange(part, whole));
  assert.equal(areDifferent(rate(6, 10), rate(4, 10)), false);
  assert.equal(areDifferent(rate(600, 1_000), rate(400, 1_000)), true);
  assert.equal(areDifferent(rate(400, 1_000), rate(600, 1_000)), true);
  assert.equal(areDifferent(rate(5, 10), rate(5, 10)), false);
  assert.equal(areDifferent(withRange(0.9, null), rate(400, 1_000)), false, "its error is not known");
  const property = fc.property(anyShare, anyShare, (one, other) => {
    const [a, b] = [one.part / one.whole, other.part / other.whole];
    const error = Math.sqrt((a * (1 - a)) / one.whole + (b * (1 - b)) / other.whole);
    // Of many recipients and rates that are not near 0 or 1, as the textbook says.
    fc.pre([one, other].every(({ part, whole }) => part > 5_000 && whole - part > 5_000));
    const errors = Math.abs(a - b) / error;
    fc.pre(Math.abs(errors - 2) > 0.05);
    assert.equal(areDifferent(rate(one.part, one.whole), rate(other.part, other.whole)), errors > 2);
  });
  fc.assert(property, { numRuns: randomCases(100) });
});

test("pulls the rate of few recipients to that of the others, and hardly one of many", () => {
  const others = { rate: 0.5, variance: 0.000_1, spread: 0.003, between: 0.002_5, errors: 2 };
  assert.equal(shrunkRate({ part: 9, whole: 10 }, others).value.toFixed(3), "0.537");
  assert.equal(shrunkRate({ part: 900, whole: 1_000 }, others).value.toFixed(3), "0.864");
  const alike = { ...others, between: 0 };
  assert.equal(shrunkRate({ part: 9, whole: 10 }, alike).value, 0.5);
});

test("gives the range of an index by Agresti and Min", () => {
  // Four promoters, one detractor and five others: the mean of twelve is 3 / 12, and of its squares 6 / 12.
  const { low, high } = indexRange(3, 5, 10);
  assert.deepEqual([low.toFixed(6), high.toFixed(6)], ["-0.124237", "0.624237"]);
});

test("gives the range of a rate that is pulled to others, from its own recipients and from the others", () => {
  // The others weigh as much as 15 recipients.
  const others = { rate: 0.2, variance: 0.0004, spread: 0.02, between: 0.01, errors: 2 };
  const { value, low, high } = shrunkRate({ part: 30, whole: 100 }, others);
  const found = [value, low, high].map((each) => each.toFixed(6));
  assert.deepEqual(found, ["0.286957", "0.204482", "0.369431"]);
});
