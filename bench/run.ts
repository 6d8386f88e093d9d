// `npm run bench -- NAME [--records N]`: runs a benchmark. Prints ratios first, because absolute figures depend on the
// computer.

import { parseArgs } from "node:util";
import { benchDownloads } from "./downloads/downloads.ts";
import { benchGrowth } from "./growth/growth.ts";
import { benchImport } from "./import/import.ts";
import { benchIngest } from "./ingest/ingest.ts";
import { benchPages } from "./pages/pages.ts";
import { benchPeers } from "./peers/peers.ts";
import { benchRead, readDefaults } from "./read/read.ts";
import { benchRename } from "./rename/rename.ts";
import { benchTracking } from "./tracking/tracking.ts";

interface Bench {
  /** By default. */
  records: number;
  run(records: number): Promise<void>;
  /** Whether it accepts the number and duration of runs. */
  isRepeated?: boolean;
  /** Whether it writes a section of docs/performance.md; those that are repeated do. */
  isWritable?: boolean;
}

const { positionals, values } = parseArguments();
const [name = ""] = positionals;
const number = (option: "large" | "runs" | "seconds") => Number(values[option] ?? readDefaults[option]);
const readOptions = { large: number("large"), runs: number("runs"), seconds: number("seconds") };

const effort = { runs: readOptions.runs, seconds: readOptions.seconds, isWritten: values.write };

const benches: Record<string, Bench> = {
  downloads: { records: 100_000, run: (records) => benchDownloads(records, effort), isRepeated: true },
  growth: { records: 10_000_000, run: (records) => benchGrowth(records, effort), isRepeated: true },
  import: { records: 100_000, run: benchImport },
  ingest: { records: 1_000_000, run: benchIngest },
  pages: { records: 100_000, run: (records) => benchPages(records, values.write), isWritable: true },
  peers: { records: 100_000, run: (records) => benchPeers(records, effort), isRepeated: true },
  read: {
    records: readDefaults.records,
    run: (records) => benchRead({ records, ...readOptions, isWritten: values.write }),
    isRepeated: true,
  },
  rename: { records: 300_000, run: benchRename },
  tracking: { records: 100_000, run: benchTracking },
};

const bench = benches[name];
const records = Number(values.records ?? bench?.records);
const isCount = (value: number) => Number.isSafeInteger(value) && value >= 1;
const hasEffort = values.runs !== undefined || values.seconds !== undefined;
const isValid =
  positionals.length === 1 &&
  [records, ...Object.values(readOptions)].every(isCount) &&
  (name === "read" || values.large === undefined) &&
  (bench?.isRepeated || !hasEffort) &&
  (bench?.isRepeated || bench?.isWritable || !values.write);
if (!bench || !isValid) {
  console.error(`error: name a benchmark: ${Object.keys(benches).join(", ")}; [--records N]`);
  console.error(
    "downloads, growth, peers and read also accept [--runs N] [--seconds S] [--write], pages [--write], and read [--large N]",
  );
  process.exitCode = 2;
} else {
  await bench.run(records);
}

function parseArguments() {
  const options = {
    records: { type: "string" },
    large: { type: "string" },
    runs: { type: "string" },
    seconds: { type: "string" },
    write: { type: "boolean", default: false },
  } as const;
  try {
    return parseArgs({ allowPositionals: true, options });
  } catch {
    // No name: prints the usage.
    return parseArgs({ args: [], allowPositionals: true, options });
  }
}
