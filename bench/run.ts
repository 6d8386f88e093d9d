// `npm run bench -- NAME [--records N]`: measures, prints ratios first and absolute figures second.

import { parseArgs } from "node:util";
import { benchImport } from "./import.ts";
import { benchIngest } from "./ingest.ts";
import { benchRename } from "./rename.ts";
import { benchTracking } from "./tracking.ts";

const benches: Record<string, { records: number; run: (records: number) => Promise<void> }> = {
  import: { records: 100_000, run: benchImport },
  ingest: { records: 1_000_000, run: benchIngest },
  rename: { records: 300_000, run: benchRename },
  tracking: { records: 100_000, run: benchTracking },
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { records: { type: "string" } },
});
const bench = benches[positionals[0] ?? ""];
const records = Number(values.records ?? bench?.records);
if (!bench || positionals.length !== 1 || !Number.isSafeInteger(records) || records < 1) {
  console.error(`error: say what to measure: ${Object.keys(benches).join(" or ")} [--records N]`);
  process.exitCode = 2;
} else {
  await bench.run(records);
}
