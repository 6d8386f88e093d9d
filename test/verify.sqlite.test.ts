// The checks of `npm run verify` on SQLite, with less data.

import test from "node:test";
import { verifyDelay } from "../verify/delay.ts";
import { verifyExactness } from "../verify/exactness.ts";
import { verifyKills } from "../verify/kills/kills.ts";
import { verifyWebhooks } from "../verify/webhooks/webhooks.ts";
import { makeDatabase, makeFolder } from "./support/world.ts";

const print = () => undefined;

test("verify exactness passes on SQLite: repeated events give the numbers of the oracle", async (t) => {
  await verifyExactness({
    databaseUrl: await makeDatabase(t),
    events: 3_000,
    campaigns: 9,
    connections: 8,
    print,
  });
});

test("verify kills passes on SQLite: a killed service counts every acknowledged event once", async (t) => {
  await verifyKills({ databaseUrl: await makeDatabase(t), kills: 2, print });
});

test("verify delay measures the event loop delay while events arrive and pages are read", async (t) => {
  // The delay depends on the load of the computer, so the test sets no limit.
  await verifyDelay({ folder: makeFolder(t), events: 5_000, maxDelayMs: Number.POSITIVE_INFINITY, print });
});

test("verify webhooks passes: randomly changed requests never fail and are never counted wrong", async (t) => {
  await verifyWebhooks({ folder: makeFolder(t), bodies: 60, print });
});
