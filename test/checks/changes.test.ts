// The check `npm run verify -- changes` with fewer histories, and faults that it must find.

import assert from "node:assert/strict";
import test from "node:test";
import { verifyChanges } from "../../verify/changes/changes.ts";
import { type Fault, faults } from "../../verify/changes/planted-faults.ts";
import { randomCases } from "../support/random-cases.ts";
import { makeDatabase } from "../support/world.ts";

const print = () => undefined;

test("verify changes passes: copies equal what the service shows", async (t) => {
  await verifyChanges({ databaseUrl: await makeDatabase(t), histories: randomCases(5), print });
});

for (const fault of Object.keys(faults) as Fault[]) {
  test(`verify changes finds a service with ${fault}`, async (t) => {
    const check = verifyChanges({ databaseUrl: await makeDatabase(t), histories: 30, fault, print });
    await assert.rejects(check, { name: "AssertionError", message: /history \d+/ });
  });
}
