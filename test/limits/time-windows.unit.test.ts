// Windows of time: when they start and end, for each key.

import assert from "node:assert/strict";
import test from "node:test";
import { TimeWindows } from "../../src/limits/time-windows.ts";

test("starts a window at its first use, and another when it is over or the clock is set back", () => {
  let time = 1_000;
  const windows = new TimeWindows({
    windowMs: 100,
    maxWindows: 2,
    create: () => ({ count: 0 }),
    now: () => time,
  });
  const count = (key: string) => ++windows.at(key).count;
  assert.deepEqual([count("a"), count("a"), count("b")], [1, 2, 1]);
  time += 99;
  assert.equal(count("a"), 3);
  time += 1;
  assert.equal(count("a"), 1);
  time -= 500;
  assert.equal(count("a"), 1);
  assert.equal(count("a"), 2);
  for (const key of ["c", "d"]) assert.equal(count(key), 1);
  assert.equal(count("a"), 1, "evicted");
});
