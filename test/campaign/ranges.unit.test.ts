// Ranges of rates, compared with slow textbook versions.

import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { shareRange } from "../../src/campaign/ranges.ts";
import { randomCases } from "../support/random-cases.ts";
import { slowShareRange } from "../support/slow-ranges.ts";

test("gives the range of a share: what a score test does not reject", () => {
  assert.deepEqual(shareRange(0, 10), { low: 0, high: 0.2775327998628892 });
  assert.deepEqual(shareRange(10, 10), { low: 0.7224672001371107, high: 1 });
  const anyShare = fc
    .integer({ min: 1, max: 1_000_000 })
    .chain((whole) => fc.tuple(fc.integer({ min: 0, max: whole }), fc.constant(whole)));
  fc.assert(
    fc.property(anyShare, ([part, whole]) => {
      const [{ low, high }, slow] = [shareRange(part, whole), slowShareRange(part, whole)];
      assert.ok(Math.abs(low - slow.low) < 1e-9 && Math.abs(high - slow.high) < 1e-9);
      assert.ok(low >= 0 && low <= part / whole && part / whole <= high && high <= 1);
    }),
    { numRuns: randomCases(300) },
  );
});
