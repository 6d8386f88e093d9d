// The check `npm run verify -- changes` on SQLite with fewer histories, and faults that it must find.

import assert from "node:assert/strict";
import test from "node:test";
import { startHistories } from "../../verify/changes/changes.ts";
import { startHistoriesOnProcesses } from "../../verify/changes/histories-on-processes.ts";
import { type Fault, faults } from "../../verify/changes/planted-faults.ts";
import { randomCases } from "../support/random-cases.ts";
import { makeDatabase } from "../support/world.ts";

test("verify changes: copies equal what the service shows, and planted faults are found", async (t) => {
  const run = await startHistories(t, await makeDatabase(t));
  await run({ count: randomCases(3) });
  for (const fault of Object.keys(faults) as Fault[]) {
    // A client may also be told that the database lost what it saw.
    const found = { name: "AssertionError", message: /history \d+|"gone"/ };
    await assert.rejects(run({ count: 30, fault }), found, fault);
  }
});

test("verify changes: copies equal what the service shows after one of two processes was killed", async (t) => {
  const run = await startHistoriesOnProcesses(t, await makeDatabase(t));
  await run({ count: randomCases(2) });
});
