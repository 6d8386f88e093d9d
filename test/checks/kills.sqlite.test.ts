// The check `npm run verify -- kills` on SQLite, with one kill.

import test from "node:test";
import { verifyKills } from "../../verify/kills/kills.ts";
import { makeDatabase } from "../support/world.ts";

const print = () => undefined;

test("verify kills passes on SQLite: a killed service counts every acknowledged event once", async (t) => {
  await verifyKills({ databaseUrl: await makeDatabase(t), kills: 1, print });
});
