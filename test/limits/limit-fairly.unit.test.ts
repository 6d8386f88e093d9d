// The fair concurrency limit: turns, full queues, and tasks that fail.

import assert from "node:assert/strict";
import test from "node:test";
import { limitFairly } from "../../src/limits/limit-fairly.ts";

/** Runs tasks that arrive in this order. A name is the caller and a number; a capital letter is a known caller. */
async function runAll(names: string[], maxWaiting: number, concurrency = 1, maxOfCaller = concurrency) {
  const fullMessage = "Too many. Try again.";
  const limit = limitFairly({ concurrency, maxOfCaller, maxWaiting, fullMessage });
  const started: string[] = [];
  let [running, mostRunning] = [0, 0];
  const results = await Promise.allSettled(
    names.map((name) => {
      const key = name.slice(0, 1);
      return limit({ key, isKnown: key !== key.toLowerCase() }, async () => {
        started.push(name);
        mostRunning = Math.max(mostRunning, ++running);
        await new Promise(setImmediate);
        running -= 1;
        if (name.endsWith("!")) throw new Error(`${name} fails`);
      });
    }),
  );
  const errors = results.flatMap((each, index) =>
    each.status === "rejected" ? [`${names[index]}: ${each.reason.message}`] : [],
  );
  return { started, errors, mostRunning };
}

test("waiting callers take turns, and a failed task frees its slot", async () => {
  const { started, errors, mostRunning } = await runAll(["a1", "a2", "a3!", "a4", "b1", "b2", "c1"], 10, 2);
  assert.deepEqual(started, ["a1", "a2", "a3!", "b1", "c1", "a4", "b2"]);
  assert.deepEqual(errors, ["a3!: a3! fails"]);
  assert.equal(mostRunning, 2);
});

test("leaves a slot to other callers when one has as many as it may have", async () => {
  const { started, mostRunning } = await runAll(["a1", "a2", "a3", "a4", "b1", "c1"], 10, 3, 2);
  assert.deepEqual(started, ["a1", "a2", "b1", "a3", "c1", "a4"]);
  assert.equal(mostRunning, 3);
  const alone = await runAll(["a1", "a2", "a3", "a4", "a5"], 10, 3, 2);
  assert.deepEqual([alone.started.length, alone.mostRunning], [5, 2]);
});

test("known and unknown callers take turns, however many unknown ones wait", async () => {
  const { started } = await runAll(["a1", "b1", "c1", "d1", "X1", "X2", "Y1"], 10);
  assert.deepEqual(started, ["a1", "X1", "b1", "Y1", "c1", "X2", "d1"]);
});

test("a full queue refuses the newest task of the caller with the most, and each kind has its own queue", async () => {
  const flood = await runAll(["a1", "a2", "a3", "a4", "b1", "X1", "X2", "X3"], 2);
  assert.deepEqual(flood.started.toSorted(), ["X1", "X2", "a1", "a2", "b1"]);
  assert.deepEqual(flood.errors, [
    "a3: Too many. Try again.",
    "a4: Too many. Try again.",
    "X3: Too many. Try again.",
  ]);
  const many = await runAll(["a1", "b1", "c1", "d1"], 2);
  assert.deepEqual(many.started, ["a1", "b1", "c1"]);
  assert.deepEqual(many.errors, ["d1: Too many. Try again."]);
});

test("a task leaves the queue when its caller waits no longer, and the others keep their turns", async () => {
  const limit = limitFairly({ concurrency: 1, maxWaiting: 10, fullMessage: "Too many. Try again." });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const started: string[] = [];
  const run = (name: string, how: { maxWaitMs?: number; signal?: AbortSignal } = {}) =>
    limit({ key: name.slice(0, 1), isKnown: true, ...how }, async () => started.push(name));
  const first = limit({ key: "a", isKnown: true }, () => released);
  const [late, alone, later] = [run("a2", { maxWaitMs: 1 }), run("b1", { maxWaitMs: 1 }), run("a3")];
  await assert.rejects(late, { code: "unavailable", message: "Too many. Try again." });
  await assert.rejects(alone, { code: "unavailable" });
  const left = new AbortController();
  const leaving = Array.from({ length: 9 }, (_, index) => run(`c${index}`, { signal: left.signal }));
  left.abort(new Error("left"));
  for (const each of leaving) await assert.rejects(each, { message: "left" });
  await assert.rejects(run("c9", { signal: left.signal }), { message: "left" });
  const after = Array.from({ length: 9 }, (_, index) => run(`d${index}`));
  release();
  await Promise.all([first, later, ...after]);
  assert.deepEqual(started, ["a3", ...Array.from({ length: 9 }, (_, index) => `d${index}`)]);
});
