// Programming languages and terminals: a script that downloads all campaigns.

import type { ToolEntry } from "./connect-tool.ts";
import { setKey, setKeyAnywhere, setKeyInPowerShell } from "./set-key.ts";

const runAgain = "Run it again: each run downloads all campaigns as they are at that moment.";
const noLimits = "All campaigns and all fields, whatever their number.";

export const programs = [
  {
    id: "pandas",
    name: "Python (pandas)",
    minutes: 1,
    steps: [
      setKeyAnywhere,
      "Save these lines as `emails.py`, and run `python emails.py` there. They need pandas 1.2 or newer: `pip install pandas`.",
    ],
    lines: { language: "python", path: "pandas/emails.py" },
    refresh: runAgain,
    limits: `${noLimits} Dates are of the type datetime64, as always in pandas.`,
    tested:
      "`npm run verify -- connectors` runs the lines with pandas 3.1 and compares each value and type. Every test run compiles them.",
  },
  {
    id: "r",
    name: "R",
    minutes: 1,
    steps: [
      setKeyAnywhere,
      "Save these lines as `emails.R`, and run `Rscript emails.R` there. They need R 3.6 or newer, and no package.",
    ],
    lines: { language: "r", path: "r/emails.R" },
    refresh: runAgain,
    limits: noLimits,
    tested:
      "By hand, the download ran with R 4.2.2 against the demo, and the parsing with one record. No test runs R.",
  },
  {
    id: "duckdb",
    name: "DuckDB",
    minutes: 1,
    steps: [setKey, "Run these lines there. The second one shows the open rate by year."],
    lines: { language: "sh", path: "duckdb/emails.sh" },
    refresh: runAgain,
    limits: `${noLimits} DuckDB reads the file. With its HTTP extension it can read parts of the URL: see the page on downloads.`,
    tested:
      "Every test run downloads with curl, and runs the query in DuckDB 1.5 for Node. `npm run verify -- connectors` reads each download in DuckDB 2.0 for Python. The program duckdb was not run.",
  },
  {
    id: "observable",
    name: "Observable Framework",
    minutes: 2,
    steps: [
      setKeyAnywhere,
      "Save the file as `src/data/emails.json.js` in your project.",
      'Read it in a page with `FileAttachment("data/emails.json").json()`.',
    ],
    files: ["observable/emails.json.js"],
    refresh:
      "When the site is built. Observable caches the file: delete src/.observablehq/cache to load it again.",
    limits: `${noLimits} The key stays on the machine that builds the site; the campaigns are in the site.`,
    tested: "Every test run runs the loader with Node and reads its JSON. Observable itself was not run.",
  },
  {
    id: "curl",
    name: "curl",
    minutes: 1,
    steps: [setKey, "Run this line there. Other endings: `emails.ndjson` and `emails.parquet`."],
    lines: { language: "sh", path: "curl/emails.sh" },
    refresh: `${runAgain} With --etag-save and --etag-compare, curl downloads only if something has changed.`,
    limits: noLimits,
    tested: "Every test run runs this line.",
  },
  {
    id: "powershell",
    name: "PowerShell",
    minutes: 1,
    steps: [setKeyInPowerShell, "Run these lines there."],
    lines: { language: "powershell", path: "powershell/emails.ps1" },
    refresh: runAgain,
    limits: `${noLimits} Import-Csv reads every value as text.`,
    tested: "Not run in PowerShell. Every test run requests the URL with the same header.",
  },
] as const satisfies readonly ToolEntry[];
