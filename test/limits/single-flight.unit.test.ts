// Single-flight: shared calls are as fresh as separate ones.

import assert from "node:assert/strict";
import test from "node:test";
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { singleFlight } from "../../src/limits/single-flight.ts";

test("shares a call with callers that arrive before it starts, and starts another for those that arrive later", async () => {
  let state = 0;
  let started = 0;
  const load = singleFlight(
    (name: string) => name,
    async () => {
      started += 1;
      const seen = state;
      await delay(20);
      return seen;
    },
  );
  const together = [load("a"), load("a"), load("a")];
  const other = load("b");
  await nextTurn();
  await nextTurn();
  assert.equal(started, 2, "one per key");
  state = 1;
  const later = [load("a"), load("a")];
  assert.deepEqual(await Promise.all(together), [0, 0, 0]);
  assert.deepEqual(await Promise.all(later), [1, 1], "it sees changes made after the first call started");
  assert.equal(await other, 0);
  assert.equal(started, 3);
});

test("rejects all callers of a failed call, but not later callers", async () => {
  let calls = 0;
  const load = singleFlight(
    () => "same",
    async () => {
      calls += 1;
      if (calls === 1) throw new Error("the first call fails");
      return calls;
    },
  );
  const [one, two] = await Promise.allSettled([load(undefined), load(undefined)]);
  assert.deepEqual([one?.status, two?.status], ["rejected", "rejected"]);
  assert.equal(await load(undefined), 2);
});

test("starts the next call after a delay when a call never ends", async () => {
  let calls = 0;
  const load = singleFlight(
    () => "same",
    async () => {
      calls += 1;
      if (calls === 1) await new Promise(() => undefined);
      return calls;
    },
  );
  void load(undefined);
  await nextTurn();
  await nextTurn();
  // The delay does not keep the process alive, so the test needs a timer that does.
  const alive = setInterval(() => undefined, 1_000);
  assert.equal(await load(undefined), 2);
  clearInterval(alive);
});
