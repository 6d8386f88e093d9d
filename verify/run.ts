// `npm run verify -- NAME`: runs a check in full. The tests run the same checks with less data.

import { parseArgs } from "node:util";
import { whyNoCitus } from "../test/support/citus-cluster.ts";
import { type DatabaseKind, databaseKinds, withNewDatabase } from "../test/support/new-database.ts";
import { withTemporaryFolder } from "../test/support/temporary-folder.ts";
import { verifyChanges } from "./changes/changes.ts";
import { verifyCitus } from "./citus/citus.ts";
import { verifyExactness } from "./exactness.ts";
import { verifyFirstRequest } from "./first-request/first-request.ts";
import { whyNoNginx } from "./first-request/nginx.ts";
import { verifyFsync } from "./fsync.ts";
import { verifyFullDisk } from "./full-disk/full-disk.ts";
import { withMountedDisk } from "./full-disk/full-disks.ts";
import { odataShares, verifyFuzz } from "./fuzz/fuzz.ts";
import { verifyCommandKills } from "./kills/command-kills.ts";
import { verifyKills } from "./kills/kills.ts";
import { verifyPostgresKills } from "./kills/postgres-kills.ts";
import { verifyOData } from "./odata/odata.ts";
import { verifyOverload } from "./overload/overload.ts";
import { verifyQueries } from "./queries/queries.ts";
import { verifyRefusals } from "./refusals/refusals.ts";
import { verifyTwoProcesses } from "./two-processes/two-processes.ts";
import { verifyWebhooks } from "./webhooks/webhooks.ts";

const print = (line: string) => console.log(line);

interface Check {
  size: number;
  /** The databases that `--database` accepts. */
  databases?: readonly DatabaseKind[];
  /** Returns why the check cannot run here. */
  obstacle?(): string | undefined;
  run(size: number, database: DatabaseKind): Promise<void>;
}

const checks: Record<string, Check> = {
  exactness: {
    size: 1_000_000,
    databases: databaseKinds,
    run: (events, database) =>
      withNewDatabase(database, (databaseUrl) =>
        verifyExactness({ databaseUrl, events, campaigns: 50, connections: 8, print }),
      ),
  },
  kills: {
    size: 200,
    databases: databaseKinds,
    run: (kills, database) =>
      withNewDatabase(database, (databaseUrl) => verifyKills({ databaseUrl, kills, print })),
  },
  "command-kills": {
    size: 8,
    databases: databaseKinds,
    run: (kills, database) => verifyCommandKills({ database, kills, rows: 4_000, print }),
  },
  "postgres-kills": {
    size: 500,
    run: (resets) =>
      verifyPostgresKills({
        kills: Math.ceil(resets * 0.4),
        restarts: Math.ceil(resets * 0.04),
        resets,
        maxRecoveryMs: 5_000,
        print,
      }),
  },
  "two-processes": {
    size: 1_000_000,
    databases: databaseKinds,
    async run(events, database) {
      for (const organizations of [1, 8]) {
        await withNewDatabase(database, (databaseUrl) =>
          verifyTwoProcesses({ databaseUrl, events, organizations, print }),
        );
      }
    },
  },
  citus: { size: 50, obstacle: whyNoCitus, run: (kills) => verifyCitus({ kills, print }) },
  "first-request": {
    size: 16,
    obstacle: whyNoNginx,
    async run(tools) {
      const options = { tools, maxMs: 2_000, print };
      await withNewDatabase("sqlite", (databaseUrl) =>
        verifyFirstRequest({ ...options, databaseUrl, processes: "one" }),
      );
      for (const processes of ["two", "two behind nginx"] as const) {
        await withNewDatabase("postgres", (databaseUrl) =>
          verifyFirstRequest({ ...options, databaseUrl, processes }),
        );
      }
    },
  },
  fsync: {
    size: 50,
    run: (requests) => withTemporaryFolder((folder) => verifyFsync({ folder, requests, print })),
  },
  "full-disk": {
    size: 6,
    run: (rounds) =>
      withTemporaryFolder((filesFolder) =>
        withTemporaryFolder((folder) =>
          withMountedDisk(folder, (disk) =>
            verifyFullDisk({
              folder,
              filesFolder,
              disk,
              rounds,
              eventsPerBurst: 10_000,
              importedRecords: 6_000,
              print,
            }),
          ),
        ),
      ),
  },
  overload: {
    size: 20,
    databases: databaseKinds,
    run: (seconds, database) =>
      withNewDatabase(database, (databaseUrl) =>
        verifyOverload({
          databaseUrl,
          seconds,
          records: 20_000,
          connections: 1_000,
          // A refusal costs about a quarter of a page, and twice the peak brings more refusals than pages.
          minGoodput: 0.6,
          maxHealthMs: 100,
          print,
        }),
      ),
  },
  queries: {
    size: 45_000,
    databases: databaseKinds,
    run: (queries, database) =>
      withNewDatabase(database, (databaseUrl) =>
        verifyQueries({ databaseUrl, queries, organizations: 4, campaigns: 400, print }),
      ),
  },
  odata: {
    size: 100_000,
    databases: databaseKinds,
    run: (queries, database) =>
      withNewDatabase(database, (databaseUrl) =>
        verifyOData({ databaseUrl, queries, campaigns: 100, print }),
      ),
  },
  changes: {
    size: 10_000,
    databases: databaseKinds,
    run: (histories, database) =>
      withNewDatabase(database, (databaseUrl) => verifyChanges({ databaseUrl, histories, print })),
  },
  refusals: {
    size: 1_000,
    run: (trials) => withTemporaryFolder((folder) => verifyRefusals({ folder, trials, print })),
  },
  fuzz: {
    size: 3_000_000,
    run: (requests) =>
      withTemporaryFolder((folder) => verifyFuzz({ folder, requests, maxMegabytes: 1_000, print })),
  },
  "odata-fuzz": {
    size: 1_000_000,
    run: (requests) =>
      withTemporaryFolder((folder) =>
        verifyFuzz({ folder, requests, shares: odataShares, maxMegabytes: 1_000, print }),
      ),
  },
  webhooks: {
    size: 100_000,
    run: (bodies) => withTemporaryFolder((folder) => verifyWebhooks({ folder, bodies, print })),
  },
};

const options = { size: { type: "string" }, database: { type: "string" } } as const;

/** Undefined if the arguments are not valid. */
function parseArguments() {
  try {
    const { positionals, values } = parseArgs({ allowPositionals: true, options });
    const check = checks[positionals[0] ?? ""];
    const size = Number(values.size ?? check?.size);
    const database = (values.database ?? "sqlite") as DatabaseKind;
    const hasDatabase = values.database === undefined || check?.databases?.includes(database);
    const isOne = positionals.length === 1 && Number.isSafeInteger(size) && size >= 1;
    return check && isOne && hasDatabase ? { check, size, database } : undefined;
  } catch {
    return undefined;
  }
}

const given = parseArguments();
const obstacle = given?.check.obstacle?.();
if (obstacle !== undefined) {
  console.error(`error: ${obstacle}`);
  process.exitCode = 2;
} else if (given) {
  await given.check.run(given.size, given.database);
} else {
  const names = Object.entries(checks).map(([name, { databases }]) =>
    databases ? `${name} [--database ${databases.join("|")}]` : name,
  );
  console.error(`error: name a check: ${names.join(", ")}; [--size N]`);
  process.exitCode = 2;
}
