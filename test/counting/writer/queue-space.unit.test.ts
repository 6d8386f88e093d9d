// Backpressure of the writer thread: the queue is bounded in total and per organization.

import assert from "node:assert/strict";
import test from "node:test";
import { QueueSpace } from "../../../src/counting/writer/queue-space.ts";

const isRefused = { code: "unavailable" };

test("refuses a body when the write queue is full", () => {
  const space = new QueueSpace(100);
  space.reserve(1, 50);
  space.reserve(2, 50);
  assert.throws(() => space.reserve(3, 1), isRefused);
  space.add(2, -50);
  space.reserve(3, 50);
});

test("leaves half of the write queue to other organizations", () => {
  const space = new QueueSpace(100);
  space.reserve(1, 40);
  assert.throws(() => space.reserve(1, 11), isRefused);
  space.reserve(2, 50);
});

test("accepts a body of any size when the write queue is empty", () => {
  const space = new QueueSpace(100);
  space.reserve(1, 1_000);
  assert.throws(() => space.reserve(2, 1), isRefused);
  space.add(1, -1_000);
  space.reserve(2, 100);
});

test("refuses a body while the oldest batch of the organization has been waiting for too long", (t) => {
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const space = new QueueSpace(1_000_000);
  const oldestIsWritten = space.noteBatch(1);
  now = 1_000;
  const secondIsWritten = space.noteBatch(1);
  now = 2_000;
  space.reserve(1, 1, 2_000);
  now = 2_001;
  assert.throws(() => space.reserve(1, 1, 2_000), isRefused);
  space.reserve(1, 1);
  space.reserve(2, 1, 2_000);
  oldestIsWritten();
  space.reserve(1, 1, 2_000);
  now = 3_001;
  assert.throws(() => space.reserve(1, 1, 2_000), isRefused);
  secondIsWritten();
  space.reserve(1, 1, 2_000);
});
