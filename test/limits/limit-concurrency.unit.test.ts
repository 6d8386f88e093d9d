// The concurrency limit: its order, its queue, and what happens when a task fails.

import assert from "node:assert/strict";
import test from "node:test";
import { limitConcurrency } from "../../src/limits/limit-concurrency.ts";

test("runs tasks in the order of arrival, up to the limit at once, and refuses those beyond the queue", async () => {
  const limit = limitConcurrency({ concurrency: 2, maxWaiting: 3, fullMessage: "Too many. Try again." });
  const started: number[] = [];
  let running = 0;
  let mostRunning = 0;
  const results = await Promise.allSettled(
    [0, 1, 2, 3, 4, 5].map((index) =>
      limit(async () => {
        started.push(index);
        mostRunning = Math.max(mostRunning, ++running);
        await new Promise(setImmediate);
        running -= 1;
        if (index === 1) throw new Error("the second task fails");
        return index;
      }),
    ),
  );
  assert.deepEqual(started, [0, 1, 2, 3, 4]);
  assert.equal(mostRunning, 2);
  assert.deepEqual(
    results.map((result) => (result.status === "fulfilled" ? result.value : String(result.reason))),
    [0, "Error: the second task fails", 2, 3, 4, "Error: Too many. Try again."],
  );
  assert.equal(await limit(async () => "free again"), "free again");
});
