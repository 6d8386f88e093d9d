// The check `npm run verify -- overload`, for a moment.

import test from "node:test";
import { verifyOverload } from "../../verify/overload/overload.ts";
import { makeDatabase } from "../support/world.ts";

const print = () => undefined;

test("verify overload offers twice the peak and measures the good responses", async (t) => {
  const databaseUrl = await makeDatabase(t);
  // The rates depend on the load of the computer, so the test sets no limit.
  const unlimited = { minGoodput: 0, maxHealthMs: Number.POSITIVE_INFINITY };
  const small = { seconds: 0.1, records: 200, connections: 20 };
  await verifyOverload({ databaseUrl, ...small, ...unlimited, print });
});
