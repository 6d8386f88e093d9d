// Calls that are shared are as fresh as calls of one's own.

import assert from "node:assert/strict";
import test from "node:test";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { singleFlight } from "../../src/limits/single-flight.ts";

test("who asks before a call begins shares it, and who asks while it is under way gets the next one", async () => {
  let state = 0;
  let begun = 0;
  const ask = singleFlight(
    (name: string) => name,
    async () => {
      begun += 1;
      const seen = state;
      await pause(20);
      return seen;
    },
  );
  const together = [ask("a"), ask("a"), ask("a")];
  const other = ask("b");
  await nextTurn();
  await nextTurn();
  assert.equal(begun, 2, "one for each name");
  state = 1;
  const later = [ask("a"), ask("a")];
  assert.deepEqual(await Promise.all(together), [0, 0, 0]);
  assert.deepEqual(await Promise.all(later), [1, 1], "it sees what has changed since the first one began");
  assert.equal(await other, 0);
  assert.equal(begun, 3);
});

test("a call that fails fails for those who share it, and for nobody else", async () => {
  let calls = 0;
  const ask = singleFlight(
    () => "same",
    async () => {
      calls += 1;
      if (calls === 1) throw new Error("the first one fails");
      return calls;
    },
  );
  const [one, two] = await Promise.allSettled([ask(undefined), ask(undefined)]);
  assert.deepEqual([one?.status, two?.status], ["rejected", "rejected"]);
  assert.equal(await ask(undefined), 2);
});

test("a call that does not end does not hold up the next one for long", async () => {
  let calls = 0;
  const ask = singleFlight(
    () => "same",
    async () => {
      calls += 1;
      if (calls === 1) await new Promise(() => undefined);
      return calls;
    },
  );
  void ask(undefined);
  await nextTurn();
  await nextTurn();
  // The timer of the test keeps the process alive, that of the call does not.
  const alive = setInterval(() => undefined, 1_000);
  assert.equal(await ask(undefined), 2);
  clearInterval(alive);
});
