// `npm run bench -- NAME`: runs a benchmark. Each prints ratios to a bare equivalent of the same run, because absolute
// figures depend on the computer.

import { parseArgs } from "node:util";
import { benchDownloads } from "./downloads/downloads.ts";
import { benchIngest } from "./ingest/ingest.ts";
import { benchPages } from "./pages/pages.ts";
import type { Effort } from "./read/measure-interleaved.ts";
import { benchRead } from "./read/read.ts";

interface Bench {
  /** By default. */
  records: number;
  run(records: number, effort: Effort): Promise<void>;
}

const benches: Record<string, Bench> = {
  downloads: { records: 100_000, run: benchDownloads },
  ingest: { records: 1_000_000, run: benchIngest },
  pages: { records: 5_000, run: benchPages },
  read: { records: 100_000, run: benchRead },
};

const options = {
  records: { type: "string" },
  runs: { type: "string", default: "5" },
  seconds: { type: "string", default: "2" },
} as const;
const { positionals, values } = parseArgs({ allowPositionals: true, options });
const bench = benches[positionals[0] ?? ""];
const [records = 0, runs = 0, seconds = 0] = [
  values.records ?? bench?.records,
  values.runs,
  values.seconds,
].map(Number);
const areValid = [records, runs, seconds].every((value) => Number.isSafeInteger(value) && value >= 1);
if (bench && areValid) {
  await bench.run(records, { runs, seconds });
} else {
  console.error(`error: name a benchmark: ${Object.keys(benches).join(", ")}`);
  console.error("[--records N]; downloads and read also accept [--runs N] [--seconds S]");
  process.exitCode = 2;
}
