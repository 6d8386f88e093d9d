// The check `npm run verify -- kills` on PostgreSQL, with one kill.

import test from "node:test";
import { verifyKills } from "../../verify/kills/kills.ts";
import { withNewDatabase } from "../support/new-database.ts";

const print = () => undefined;

test("verify kills passes on PostgreSQL: a killed service counts every acknowledged event once", async () => {
  await withNewDatabase("postgres", (databaseUrl) => verifyKills({ databaseUrl, kills: 1, print }));
});
