// The heavy checks of the service on PostgreSQL, in small: the same code as `npm run verify`.

import test from "node:test";
import { verifyExactness } from "../verify/exactness.ts";
import { verifyKills } from "../verify/kills.ts";
import { onDatabase } from "../verify/on-database.ts";
import { verifyPostgresKills } from "../verify/postgres-kills.ts";
import { verifyTwoProcesses } from "../verify/two-processes.ts";

const say = () => undefined;

test("on PostgreSQL too, events that come many times give what a plain oracle says, in every field", async () => {
  await onDatabase("postgres", (databaseUrl) =>
    verifyExactness({ databaseUrl, events: 2_000, campaigns: 9, connections: 8, say }),
  );
});

test("on PostgreSQL too, a service that is killed loses nothing it acknowledged and counts nothing twice", async () => {
  await onDatabase("postgres", (databaseUrl) => verifyKills({ databaseUrl, kills: 1, say }));
});

test("a service whose server loses connections, crashes, and does not answer commits, goes on by itself and counts once", async () => {
  // How long it takes to go on depends on the machine.
  const recoveryMsMax = Number.POSITIVE_INFINITY;
  await verifyPostgresKills({ kills: 4, restarts: 2, resets: 9, recoveryMsMax, say });
});

test("two processes on one database that are sent the same events at the same time count each once", async () => {
  await onDatabase("postgres", (databaseUrl) =>
    verifyTwoProcesses({ databaseUrl, events: 2_000, organizations: 1, say }),
  );
});
