// The check `npm run verify -- exactness` on SQLite, with less data.

import test from "node:test";
import { verifyExactness } from "../../verify/exactness.ts";
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
