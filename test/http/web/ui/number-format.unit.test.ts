// Number formats of the web application.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  formatCount,
  formatCountOf,
  formatIndex,
  formatMean,
  formatPercentage,
  formatRate,
} from "../../../../src/http/web/ui/number-format.ts";

test("formats a rate with one decimal and rounds its decimal digits half up", () => {
  assert.deepEqual([0, 0.2905, 0.5208, 0.1235, 1, 1.5, null].map(formatRate), [
    "0.0%",
    "29.1%",
    "52.1%",
    "12.4%",
    "100.0%",
    "150.0%",
    "–",
  ]);
  // Every rate with four decimals, compared with integer arithmetic.
  for (let parts = 5; parts <= 9_994; parts++) {
    const tenths = Math.floor((parts + 5) / 10);
    assert.equal(formatRate(parts / 10_000), `${Math.floor(tenths / 10)}.${tenths % 10}%`);
  }
});

test("never rounds a few to 0% or almost all to 100%", () => {
  assert.deepEqual([0.0001, 0.00049, 0.0005].map(formatRate), ["<0.1%", "<0.1%", "0.1%"]);
  assert.deepEqual([0.9994, 0.9995, 0.99999].map(formatRate), ["99.9%", ">99.9%", ">99.9%"]);
  assert.deepEqual([0, 0.01, 60, 99.99, 100, 125, null].map(formatPercentage), [
    "0.0%",
    "<0.1%",
    "60.0%",
    ">99.9%",
    "100.0%",
    "125.0%",
    "–",
  ]);
});

test("formats means with up to two decimals and an index with its sign", () => {
  assert.deepEqual([7.333333333, 8, 8.25, 1.005, null].map(formatMean), ["7.33", "8.0", "8.25", "1.01", "–"]);
  assert.deepEqual([-3.4, 0, -0.2, 12.5, null].map(formatIndex), ["−3", "0", "0", "+13", "–"]);
});

test("formats whole numbers with thousands separators", () => {
  assert.deepEqual([0, 1_234, 9_007_199_254_740_991, null].map(formatCount), [
    "0",
    "1,234",
    "9,007,199,254,740,991",
    "–",
  ]);
  assert.deepEqual([formatCountOf(1, "tag"), formatCountOf(12_345, "tag")], ["1 tag", "12,345 tags"]);
});
