// The check `npm run verify -- queries` on SQLite, with fewer queries.

import test from "node:test";
import { verifyQueries } from "../../verify/queries/queries.ts";
import { makeDatabase } from "../support/world.ts";

const print = () => undefined;

test("verify queries passes on SQLite: every response equals that of a plain filter, sort and slice, before and after changes (specification 1)", async (t) => {
  await verifyQueries({
    databaseUrl: await makeDatabase(t),
    queries: 300,
    organizations: 2,
    campaigns: 40,
    print,
  });
});
