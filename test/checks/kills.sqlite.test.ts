// The check `npm run verify -- kills` on SQLite, with fewer kills.

import test from "node:test";
import { verifyKills } from "../../verify/kills/kills.ts";
import { makeDatabase } from "../support/world.ts";

const print = () => undefined;

test("verify kills passes on SQLite: a killed service counts every acknowledged event once", async (t) => {
  await verifyKills({ databaseUrl: await makeDatabase(t), kills: 2, print });
});
