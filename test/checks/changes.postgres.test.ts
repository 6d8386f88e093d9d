// The check `npm run verify -- changes` on PostgreSQL with fewer histories.

import test from "node:test";
import { startHistories } from "../../verify/changes/changes.ts";
import { startHistoriesOnProcesses } from "../../verify/changes/histories-on-processes.ts";
import { randomCases } from "../support/random-cases.ts";
import { makeDatabase } from "../support/world.ts";

test("verify changes passes on PostgreSQL: copies equal what the service shows", async (t) => {
  const run = await startHistories(t, await makeDatabase(t));
  await run({ count: randomCases(2) });
});

test("verify changes passes on PostgreSQL: copies equal what the service shows after a process was killed", async (t) => {
  const run = await startHistoriesOnProcesses(t, await makeDatabase(t));
  await run({ count: randomCases(2) });
});
