// The limit on requests within an hour.

import assert from "node:assert/strict";
import test from "node:test";
import { describeDuration } from "../../../src/cli/pull/describe-duration.ts";
import { parseRetryAfter } from "../../../src/cli/pull/hosted-service.ts";
import { RequestBudget } from "../../../src/cli/pull/request-budget.ts";

const hour = 3_600_000;

test("a request waits until the one before as many as the limit is an hour old", () => {
  const budget = new RequestBudget(2);
  assert.equal(budget.waitMs(0), 0);
  budget.spend(0);
  assert.equal(budget.waitMs(10), 0);
  budget.spend(10);
  assert.equal(budget.waitMs(20), hour - 20);
  assert.equal(budget.waitMs(hour), 0);
  budget.spend(hour);
  assert.equal(budget.waitMs(hour), 10);
});

test("a clock that was wrong delays no request by more than an hour", () => {
  const budget = new RequestBudget(1);
  budget.spend(50 * hour);
  assert.equal(budget.waitMs(10 * hour), hour);
});

test("the time that is left counts the waits and the requests", () => {
  const budget = new RequestBudget(90);
  assert.equal(budget.timeFor(0, 100, 0), 0);
  assert.equal(budget.timeFor(90, 100, 0), 9_000);
  // The 91st waits until the first is an hour old.
  assert.equal(budget.timeFor(91, 100, 0), hour + 100);
  assert.equal(budget.timeFor(181, 0, 0), 2 * hour);
});

test("describes durations", () => {
  const described = [0, 1, 59_000, 59_001, 90_000, hour - 1, hour + 10, 1.5 * hour, 49 * hour].map(
    describeDuration,
  );
  assert.deepEqual(described, [
    "0 s",
    "1 s",
    "59 s",
    "1 min",
    "2 min",
    "1 h 0 min",
    "1 h 0 min",
    "1 h 30 min",
    "49 h 0 min",
  ]);
});

test("parses Retry-After in seconds and as a date", () => {
  const now = Date.UTC(2026, 0, 1);
  assert.equal(parseRetryAfter("120", now), 120_000);
  assert.equal(parseRetryAfter("Thu, 01 Jan 2026 00:01:00 GMT", now), 60_000);
  assert.equal(parseRetryAfter("Wed, 31 Dec 2025 00:01:00 GMT", now), 0);
  assert.equal(parseRetryAfter("soon", now), undefined);
  assert.equal(parseRetryAfter(null, now), undefined);
});
