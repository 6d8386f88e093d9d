// The ranges of rates of several campaigns, from how much they differ.

import assert from "node:assert/strict";
import test from "node:test";
import { addSpreads, type Range, shareRange, spreadOf } from "../../src/campaign/ranges.ts";
import { estimateOf, rangeOfParts, rangeOfSomeParts, usualOf } from "../../src/campaign/rate-ranges.ts";
import type { CoveredRateName } from "../../src/campaign/sum-rates.ts";

/** Campaigns of 100 each, in the units of the sums. */
function campaigns(given: readonly number[], unit = 1) {
  const parts = given.map((each) => each * unit);
  const part = parts.reduce((sum, each) => sum + each, 0);
  const whole = 100 * unit * parts.length;
  const spread = parts.map((each) => spreadOf(each, 100 * unit)).reduce(addSpreads);
  const { length } = parts;
  return {
    parts: { part, whole, from: length, of: length, recipients: whole, toldApart: 1, squares: part },
    spread,
  };
}

const half = (range: Range | null) => ((range?.high ?? 0) - (range?.low ?? 0)) / 2;
const isClose = (one: number, other: number) =>
  assert.ok(Math.abs(one - other) < 1e-12, `${one}, not ${other}`);

test("gives some of many campaigns the range of chance if the many differ by no more", () => {
  const all = campaigns([18, 20, 22, 20]);
  const estimate = estimateOf(all.parts, "openRate", all.spread);
  assert.equal(estimate?.between, 0);
  const range = rangeOfSomeParts(campaigns([18, 22]), all, "openRate");
  isClose(half(range), (estimate?.errors ?? 0) * Math.sqrt((0.2 * 0.8) / 200));
  // Sums have devices times 100, which makes them no more exact.
  const devices = campaigns([18, 20, 22, 20], 100);
  const ofDevices = rangeOfSomeParts(campaigns([18, 22], 100), devices, "desktopShare");
  isClose(half(ofDevices), half(range));
});

test("gives campaigns of which nothing says how they differ no range", () => {
  const [some, all] = [campaigns([18, 22]), campaigns([10, 20, 30, 20])];
  assert.equal(rangeOfSomeParts({ ...some, spread: undefined }, all, "openRate"), null);
  assert.equal(rangeOfParts(some.parts, "openRate"), null);
  const withoutAll = rangeOfSomeParts(some, { ...all, spread: undefined }, "openRate");
  assert.deepEqual(withoutAll, rangeOfParts(some.parts, "openRate", some.spread));
});

test("gives all of the campaigns the same range as the total of their period", () => {
  const all = campaigns([18, 20, 22, 20]);
  assert.deepEqual(rangeOfSomeParts(all, all, "openRate"), rangeOfParts(all.parts, "openRate", all.spread));
});

test("is at least as wide as chance alone where two campaigns have nearly the same rate", () => {
  const chance = shareRange(81, 200);
  for (const given of [
    [40, 41],
    [40.5, 40.5],
  ] as const) {
    const { parts, spread } = campaigns(given);
    assert.deepEqual(rangeOfParts(parts, "openRate", spread), chance);
  }
  const { parts, spread } = campaigns([20, 61]);
  const range = rangeOfParts(parts, "openRate", spread);
  assert.ok(range && range.low < chance.low && range.high > chance.high);
});

test("keeps a range within the values that the rate can have", () => {
  const bounds: [CoveredRateName, number[], Range][] = [
    ["openRate", [100, 40, 100, 100], { low: 0, high: 1 }],
    ["enpsMean", [1000, 0, 1000, 1000], { low: 0, high: 10 }],
    ["enpsIndex", [10_000, -10_000, 10_000, -9_000], { low: -100, high: 100 }],
  ];
  for (const [name, parts, { low, high }] of bounds) {
    const { parts: of, spread } = campaigns(parts);
    const usual = usualOf(of, name, spread);
    assert.ok(usual, name);
    assert.equal(usual.high, high, name);
    assert.ok(usual.low >= low, name);
  }
  const few = campaigns([0, 60, 0, 0]);
  assert.equal(usualOf(few.parts, "openRate", few.spread)?.low, 0);
});
