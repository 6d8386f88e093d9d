// The check `npm run verify -- delay`, with fewer events.

import test from "node:test";
import { verifyDelay } from "../../verify/delay.ts";
import { makeFolder } from "../support/world.ts";

const print = () => undefined;

test("verify delay measures the event loop delay while events arrive and pages are read", async (t) => {
  // The delay depends on the load of the computer, so the test sets no limit.
  await verifyDelay({ folder: makeFolder(t), events: 5_000, maxDelayMs: Number.POSITIVE_INFINITY, print });
});
