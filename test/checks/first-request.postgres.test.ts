// The check `npm run verify -- first-request`, with one key and two processes.

import test from "node:test";
import { verifyFirstRequest } from "../../verify/first-request/first-request.ts";
import { makeDatabase } from "../support/world.ts";

const print = () => undefined;

test("verify first-request shows a request that another process on PostgreSQL served", async (t) => {
  // The time depends on the load of the computer, so the test sets no limit.
  const limits = { tools: 1, maxMs: Number.POSITIVE_INFINITY, print };
  await verifyFirstRequest({ ...limits, databaseUrl: await makeDatabase(t), processes: "two" });
});
