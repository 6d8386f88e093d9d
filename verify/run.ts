// `npm run verify -- NAME`: the heavy checks, in full. What they have in common with the tests is the code.

import { parseArgs } from "node:util";
import { verifyCopy } from "./copy.ts";
import { verifyDelay } from "./delay.ts";
import { verifyExactness } from "./exactness.ts";
import { inFolder } from "./folder.ts";
import { verifyFsync } from "./fsync.ts";
import { verifyKills } from "./kills.ts";
import { type DatabaseKind, databaseKinds, onDatabase } from "./on-database.ts";
import { verifyPostgresKills } from "./postgres-kills.ts";
import { verifyTwoProcesses } from "./two-processes.ts";
import { verifyWebhooks } from "./webhooks.ts";

const say = (line: string) => console.log(line);

interface Check {
  size: number;
  /** Where it has the choice; the first is taken unless it is said otherwise. */
  databases?: readonly DatabaseKind[];
  run(size: number, database: DatabaseKind): Promise<void>;
}

const checks: Record<string, Check> = {
  exactness: {
    size: 1_000_000,
    databases: databaseKinds,
    run: (events, database) =>
      onDatabase(database, (databaseUrl) =>
        verifyExactness({ databaseUrl, events, campaigns: 50, connections: 8, say }),
      ),
  },
  kills: {
    size: 200,
    databases: databaseKinds,
    run: (kills, database) => onDatabase(database, (databaseUrl) => verifyKills({ databaseUrl, kills, say })),
  },
  "postgres-kills": {
    size: 500,
    run: (resets) =>
      verifyPostgresKills({
        kills: Math.ceil(resets * 0.4),
        restarts: Math.ceil(resets * 0.04),
        resets,
        recoveryMsMax: 5_000,
        say,
      }),
  },
  "two-processes": {
    size: 1_000_000,
    async run(events) {
      for (const organizations of [1, 8]) {
        await onDatabase("postgres", (databaseUrl) =>
          verifyTwoProcesses({ databaseUrl, events, organizations, say }),
        );
      }
    },
  },
  fsync: { size: 50, run: (requests) => inFolder((folder) => verifyFsync({ folder, requests, say })) },
  delay: {
    size: 500_000,
    run: (events) => inFolder((folder) => verifyDelay({ folder, events, delayMsMax: 20, say })),
  },
  copy: {
    size: 1_000_000,
    run: (campaigns) =>
      inFolder((folder) =>
        onDatabase("postgres", (postgresUrl) => verifyCopy({ folder, postgresUrl, campaigns, say })),
      ),
  },
  webhooks: {
    size: 100_000,
    run: (bodies) => inFolder((folder) => verifyWebhooks({ folder, bodies, say })),
  },
};

const options = { size: { type: "string" }, database: { type: "string" } } as const;

/** Undefined where it is not what any check takes. */
function understood() {
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

const asked = understood();
if (asked) {
  await asked.check.run(asked.size, asked.database);
} else {
  const names = Object.entries(checks).map(([name, { databases }]) =>
    databases ? `${name} [--database ${databases.join("|")}]` : name,
  );
  console.error(`error: say what to verify: ${names.join(", ")}; [--size N]`);
  process.exitCode = 2;
}
