// The ages of a campaign, and the spans between them.

import assert from "node:assert/strict";
import test from "node:test";
import { ages, countUpTo, recordedAges, spanCount, spanOf } from "../../../src/campaign/events/ages.ts";

const minuteMs = 60_000;

test("has the same ages in every version, because tallies are stored by them", () => {
  const minutes = ages.map((age) => age / minuteMs);
  const hours = [1, 2, 3, 4, 6, 8, 12, 18, 24, 36, 48, 72, 96, 120, 168, 336, 720];
  assert.deepEqual(minutes, [15, 30, ...hours.map((each) => 60 * each)]);
  assert.equal(spanCount, 20);
  assert.ok(Object.values(recordedAges).every((age) => ages.includes(age)));
});

test("puts what happens exactly at an age, or before the sending, into the span that ends there", () => {
  const at = [-1, 0, 15 * minuteMs, 15 * minuteMs + 1, 720 * 60 * minuteMs, 720 * 60 * minuteMs + 1];
  assert.deepEqual(at.map(spanOf), [0, 0, 0, 1, 18, 19]);
  const spans = Array.from({ length: spanCount }, (_, span) => 10 ** (span % 5));
  assert.equal(countUpTo(spans, 30 * minuteMs), 11);
  assert.equal(countUpTo(spans, 120 * minuteMs), 1_111);
});
