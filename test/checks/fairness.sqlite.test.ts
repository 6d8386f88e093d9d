// The check `npm run verify -- fairness`, for a moment.

import test from "node:test";
import { verifyFairness } from "../../verify/fairness.ts";
import { makeDatabase } from "../support/world.ts";

const print = () => undefined;

test("verify fairness measures a quiet organization while another floods the service", async (t) => {
  // The times depend on the load of the computer, so the test sets no limit. The writer's own test checks the order.
  const small = { seconds: 0.2, connections: 20, maxSlowdown: Number.POSITIVE_INFINITY };
  await verifyFairness({ databaseUrl: await makeDatabase(t), ...small, print });
});
