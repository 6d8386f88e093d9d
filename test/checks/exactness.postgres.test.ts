// The checks `npm run verify -- exactness` and `two-processes` on PostgreSQL, with less data.

import test from "node:test";
import { verifyExactness } from "../../verify/exactness.ts";
import { verifyTwoProcesses } from "../../verify/two-processes/two-processes.ts";
import { withNewDatabase } from "../support/new-database.ts";

const print = () => undefined;

test("verify exactness passes on PostgreSQL: repeated events give the numbers of the oracle", async () => {
  await withNewDatabase("postgres", (databaseUrl) =>
    verifyExactness({ databaseUrl, events: 2_000, campaigns: 9, connections: 8, print }),
  );
});

test("verify two-processes passes on PostgreSQL: two processes with the same events count each once", async () => {
  await withNewDatabase("postgres", (databaseUrl) =>
    verifyTwoProcesses({ databaseUrl, events: 2_000, organizations: 1, print }),
  );
});
