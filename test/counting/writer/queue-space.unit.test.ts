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

test("refuses a body that would wait too long, by how long the latest job of the organization took", () => {
  const space = new QueueSpace(1_000_000);
  assert.equal(space.add(1, 1_000), 1_000);
  space.reserve(1, 1, 2_000);
  space.noteWritten(1, 1_000, 4_000);
  assert.throws(() => space.reserve(1, 1, 2_000), isRefused);
  space.reserve(1, 1);
  space.reserve(2, 1_000, 2_000);
  space.noteWritten(1, 1_000, 1_000);
  space.reserve(1, 1, 2_000);
});

test("does not estimate waits by a job that took no longer than a commit, however few bytes it had", () => {
  const space = new QueueSpace(1_000_000);
  space.add(1, 100_000);
  space.noteWritten(1, 1, 199);
  space.reserve(1, 1, 2_000);
});

test("forgets how long jobs took once the organization has none", () => {
  const space = new QueueSpace(1_000_000);
  space.add(1, 1_000);
  space.noteWritten(1, 1_000, 4_000);
  space.add(1, -1_000);
  space.noteWritten(1, 1_000, 4_000);
  space.add(1, 1_000);
  space.reserve(1, 1, 2_000);
});
