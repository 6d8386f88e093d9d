// Traffic by month: shares of verdicts, and which changes are called a jump.

import assert from "node:assert/strict";
import test from "node:test";
import { monthNumber } from "../../../src/campaign/calendar/months.ts";
import {
  addUpVerdicts,
  findTrafficJumps,
  listTrafficMonths,
} from "../../../src/listing/reports/traffic-months.ts";
import { Random } from "../../support/histories.ts";
import { pick } from "../../support/pick.ts";

const thisMonth = { year: 2026, month: 6 };

/** Months in order, the last one unfinished: counts by verdict. */
const monthsOf = (counts: readonly Record<string, number>[]) =>
  listTrafficMonths(
    new Map(
      counts.map((verdicts, index) => [
        monthNumber(thisMonth) + index + 1 - counts.length,
        new Map(Object.entries(verdicts)),
      ]),
    ),
    thisMonth,
  );

const month = (bot: number, seen = 1_000) => ({ person: seen - bot, bot });
const jumpsOf = (counts: readonly Record<string, number>[]) =>
  findTrafficJumps(monthsOf(counts)).map(({ verdict, share, usual, monthsBefore }) => {
    return { verdict, share, usual, monthsBefore };
  });

test("lists twelve months with this one, and verdicts by frequency", () => {
  const months = monthsOf([{ person: 5, google_proxy: 3, bot: 1, burst: 4, later_version: 2 }, { bot: 2 }]);
  assert.equal(months.length, 12);
  assert.deepEqual(months[0]?.month, { year: 2025, month: 7 });
  assert.deepEqual(pick(months.slice(-3), "seen"), [0, 15, 2]);
  assert.deepEqual(addUpVerdicts(months.map(({ verdicts }) => verdicts)), [
    ["person", 5],
    ["burst", 4],
    ["google_proxy", 3],
    ["bot", 3],
    ["later_version", 2],
  ]);
});

test("says a jump of the newest month that is over, up and down, and of a new reason", () => {
  const usual = [month(100), month(110), month(90), month(100)];
  assert.deepEqual(jumpsOf([...usual, month(200), month(0)]), [
    { verdict: "bot", share: 0.2, usual: 0.1, monthsBefore: 4 },
  ]);
  assert.deepEqual(jumpsOf([...usual, month(20), month(900)]), [
    { verdict: "bot", share: 0.02, usual: 0.1, monthsBefore: 4 },
  ]);
  assert.deepEqual(jumpsOf([...usual, { ...month(100), gateway: 100 }, {}]), [
    { verdict: "gateway", share: 1 / 11, usual: 0, monthsBefore: 4 },
  ]);
});

test("says no jump up to five points, within the usual spread, or with too little to compare", () => {
  const usual = [month(100), month(110), month(90)];
  assert.deepEqual(jumpsOf([...usual, month(150), {}]), []);
  assert.equal(jumpsOf([...usual, month(160), {}]).length, 1);
  // Months that vary like this have one of 30 % now and then.
  assert.deepEqual(jumpsOf([month(50), month(250), month(100), month(200), month(300), {}]), []);
  assert.deepEqual(jumpsOf([...usual.slice(1), month(500), {}]), []);
  assert.deepEqual(jumpsOf([...usual.slice(1), month(5, 50), month(500), {}]), []);
  assert.deepEqual(jumpsOf([...usual, month(60, 99), {}]), []);
  // Of 100 opens, chance alone makes 16 of 10 expected.
  assert.deepEqual(jumpsOf([...usual, month(16, 100), {}]), []);
  assert.deepEqual(jumpsOf([month(500), {}]), []);
});

test("says a jump in at most one of 25 organizations whose traffic does not change", () => {
  const random = new Random(5);
  let found = 0;
  for (let round = 0; round < 1_000; round++) {
    const counts = Array.from({ length: random.between(5, 12) }, () => {
      const spread = Array.from({ length: 6 }, () => random.between(-50, 50)).reduce(
        (sum, each) => sum + each,
      );
      return month(Math.max(0, 300 + spread));
    });
    found += jumpsOf(counts).length ?? 0;
  }
  assert.ok(found <= 40, `${found} of 1,000`);
});
