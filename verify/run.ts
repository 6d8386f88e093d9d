// `npm run verify -- NAME`: the heavy checks, in full. What they have in common with the tests is the code.

import { parseArgs } from "node:util";
import { verifyDelay } from "./delay.ts";
import { verifyExactness } from "./exactness.ts";
import { inFolder } from "./folder.ts";
import { verifyFsync } from "./fsync.ts";
import { verifyKills } from "./kills.ts";
import { verifyWebhooks } from "./webhooks.ts";

const say = (line: string) => console.log(line);

const checks: Record<string, { size: number; run: (folder: string, size: number) => Promise<void> }> = {
  exactness: {
    size: 1_000_000,
    run: (folder, events) => verifyExactness({ folder, events, campaigns: 50, connections: 8, say }),
  },
  kills: { size: 200, run: (folder, kills) => verifyKills({ folder, kills, say }) },
  fsync: { size: 50, run: (folder, requests) => verifyFsync({ folder, requests, say }) },
  delay: { size: 500_000, run: (folder, events) => verifyDelay({ folder, events, delayMsMax: 20, say }) },
  webhooks: { size: 100_000, run: (folder, bodies) => verifyWebhooks({ folder, bodies, say }) },
};

const { positionals, values } = parseArgs({ allowPositionals: true, options: { size: { type: "string" } } });
const check = checks[positionals[0] ?? ""];
const size = Number(values.size ?? check?.size);
if (!check || positionals.length !== 1 || !Number.isSafeInteger(size) || size < 1) {
  console.error(`error: say what to verify: ${Object.keys(checks).join(", ")} [--size N]`);
  process.exitCode = 2;
} else {
  await inFolder((folder) => check.run(folder, size));
}
