// Compares copies that clients keep by reading changes with what the service shows, over random histories: on two processes
// of which one is killed, and in simulated time with clocks that differ.

import assert from "node:assert/strict";
import test from "node:test";
import { randomCases, report } from "../../support/random-cases.ts";
import { sqliteTest } from "../../support/sqlite-test.ts";
import { makeDatabase } from "../../support/world.ts";
import { faults } from "./planted-faults.ts";
import { startHistories, startHistoriesOnProcesses } from "./start-histories.ts";

const historiesPerKill = 50;

test("copies equal what the service shows", async (t) => {
  const run = await startHistories(t, await makeDatabase(t));
  report(`in simulated time: ${await run({ count: randomCases(3, 2_500) })}`);
});

sqliteTest("a check of copies finds planted faults", async (t) => {
  const run = await startHistories(t, await makeDatabase(t));
  for (const [name, fault] of Object.entries(faults)) {
    // A pass may also not end, or the client be told that the database lost what it saw.
    const found = { name: "AssertionError", message: /history \d+|more than \d+ pages|"gone"/ };
    await assert.rejects(run({ count: 30, fault }), found, name);
  }
});

test("copies equal what the service shows after one of two processes was killed", async (t) => {
  const run = await startHistoriesOnProcesses(t, await makeDatabase(t));
  const histories = randomCases(2, 10_000);
  for (let first = 1; first <= histories; first += historiesPerKill) {
    const group = { count: Math.min(historiesPerKill, histories + 1 - first), firstSeed: first };
    report(`with a killed process: ${await run(group)}`);
  }
});
