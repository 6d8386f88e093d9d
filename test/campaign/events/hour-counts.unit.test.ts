// Counts per quarter hour, and how they are stored in parts.

import assert from "node:assert/strict";
import test from "node:test";
import { quarterHourMs } from "../../../src/campaign/calendar/durations.ts";
import { HourCounts } from "../../../src/campaign/events/hour-counts.ts";

const at = 1_000_000 * quarterHourMs;

test("adds up the counts of a quarter hour, and encodes no count of 0", () => {
  const counts = new HourCounts();
  assert.equal(counts.isEmpty(), true);
  counts.add("open", "person", at, 2);
  counts.add("open", "person", at + quarterHourMs - 1, 3);
  counts.add("open", "person", at + quarterHourMs, 1);
  counts.add("click", "scanner", at, 1);
  counts.add("click", "scanner", at, -1);
  assert.equal(counts.encode(), '{"open":{"person":[1000000,5,1000001,1]}}');
  assert.equal(counts.isEmpty(), false);
});

test("lists the sum of several parts in order of time", () => {
  const counts = new HourCounts();
  counts.addEncoded('{"open":{"person":[1000001,1,1000000,4]},"click":{"scanner":[1000000,2]}}');
  counts.addEncoded('{"open":{"person":[1000000,-1,1000002,7]},"click":{"scanner":[1000000,-2]}}');
  assert.deepEqual(counts.list(), [
    { quarter: at, activity: "open", verdict: "person", count: 3 },
    { quarter: at + quarterHourMs, activity: "open", verdict: "person", count: 1 },
    { quarter: at + 2 * quarterHourMs, activity: "open", verdict: "person", count: 7 },
  ]);
});
