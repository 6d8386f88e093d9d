// The check `npm run verify -- changes` on PostgreSQL with fewer histories.

import test from "node:test";
import { startHistories } from "../../verify/changes/changes.ts";
import { randomCases } from "../support/random-cases.ts";
import { makeDatabase } from "../support/world.ts";

test("verify changes passes on PostgreSQL: copies equal what the service shows", async (t) => {
  const run = await startHistories(t, await makeDatabase(t));
  await run({ count: randomCases(2) });
});
