// The checks of `npm run verify` on PostgreSQL, with less data.

import test from "node:test";
import { verifyExactness } from "../verify/exactness.ts";
import { verifyKills } from "../verify/kills/kills.ts";
import { verifyPostgresKills } from "../verify/kills/postgres-kills.ts";
import { withNewDatabase } from "../verify/support/new-database.ts";
import { verifyTwoProcesses } from "../verify/two-processes.ts";

const print = () => undefined;

test("verify exactness passes on PostgreSQL: repeated events give the numbers of the oracle", async () => {
  await withNewDatabase("postgres", (databaseUrl) =>
    verifyExactness({ databaseUrl, events: 2_000, campaigns: 9, connections: 8, print }),
  );
});

test("verify kills passes on PostgreSQL: a killed service counts every acknowledged event once", async () => {
  await withNewDatabase("postgres", (databaseUrl) => verifyKills({ databaseUrl, kills: 1, print }));
});

test("verify postgres-kills passes: the service recovers from lost connections, crashes and lost commits", async () => {
  // The recovery time depends on the load of the computer.
  const maxRecoveryMs = Number.POSITIVE_INFINITY;
  await verifyPostgresKills({ kills: 4, restarts: 2, resets: 9, maxRecoveryMs, print });
});

test("verify two-processes passes: two processes with the same events count each once", async () => {
  await withNewDatabase("postgres", (databaseUrl) =>
    verifyTwoProcesses({ databaseUrl, events: 2_000, organizations: 1, print }),
  );
});
