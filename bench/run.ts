// `npm run bench -- NAME [--records N]`: measures, prints ratios first and absolute figures second.

import { parseArgs } from "node:util";
import { benchImport } from "./import.ts";
import { benchIngest } from "./ingest.ts";
import { benchPages } from "./pages.ts";
import { benchRead, readDefaults } from "./read.ts";
import { benchRename } from "./rename.ts";
import { benchTracking } from "./tracking.ts";

const { positionals, values } = given();
const [name = ""] = positionals;
const number = (option: "large" | "runs" | "seconds") => Number(values[option] ?? readDefaults[option]);
const ofRead = { large: number("large"), runs: number("runs"), seconds: number("seconds") };

const benches: Record<string, { records: number; run: (records: number) => Promise<void> }> = {
  import: { records: 100_000, run: benchImport },
  ingest: { records: 1_000_000, run: benchIngest },
  pages: { records: 100_000, run: benchPages },
  read: {
    records: readDefaults.records,
    run: (records) => benchRead({ records, ...ofRead, isWritten: values.write }),
  },
  rename: { records: 300_000, run: benchRename },
  tracking: { records: 100_000, run: benchTracking },
};

const bench = benches[name];
const records = Number(values.records ?? bench?.records);
const isCount = (value: number) => Number.isSafeInteger(value) && value >= 1;
const isOfReadOnly =
  values.write || [values.large, values.runs, values.seconds].some((value) => value !== undefined);
const isUnderstood =
  positionals.length === 1 &&
  [records, ...Object.values(ofRead)].every(isCount) &&
  (name === "read" || !isOfReadOnly);
if (!bench || !isUnderstood) {
  console.error(`error: say what to measure: ${Object.keys(benches).join(" or ")} [--records N]`);
  console.error("read takes [--large N] [--runs N] [--seconds S] [--write] as well");
  process.exitCode = 2;
} else {
  await bench.run(records);
}

function given() {
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
    // Nothing is measured then, and what can be is said.
    return parseArgs({ args: [], allowPositionals: true, options });
  }
}
