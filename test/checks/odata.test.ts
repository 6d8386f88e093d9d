// The check `npm run verify -- odata`, with fewer queries.

import test from "node:test";
import { verifyOData } from "../../verify/odata/odata.ts";
import { makeDatabase } from "../support/world.ts";

const print = () => undefined;

test("verify odata passes: every answer equals that of a plain filter, sort and slice", async (t) => {
  await verifyOData({ databaseUrl: await makeDatabase(t), queries: 80, campaigns: 30, print });
});
