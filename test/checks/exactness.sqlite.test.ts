// The checks `npm run verify -- exactness` and `two-processes` on SQLite, with less data.

import test from "node:test";
import { verifyExactness } from "../../verify/exactness.ts";
import { verifyTwoProcesses } from "../../verify/two-processes/two-processes.ts";
import { makeDatabase } from "../support/world.ts";

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

test("verify two-processes passes on SQLite: two processes with the same events count each once", async (t) => {
  await verifyTwoProcesses({ databaseUrl: await makeDatabase(t), events: 1_000, organizations: 1, print });
});
