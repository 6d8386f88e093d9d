// Renders results as Markdown for docs/performance.md.

import { availableParallelism } from "node:os";
import { isPinned } from "../support/programs.ts";
import {
  type Findings,
  figuresOf,
  isReached,
  type Measured,
  type Range,
  type Ratio,
  rangeOf,
} from "./findings.ts";
import type { Effort } from "./measure-interleaved.ts";
import { formatNumber } from "./print-findings.ts";

interface Size extends Effort {
  records: number;
  large: number;
}

const pinning = isPinned
  ? "Server and client were\npinned to one CPU each; only PostgreSQL could use both."
  : "No process was pinned\nto a CPU.";

/** The section of the benchmark `read`. */
export function readSection({ ratios, figures, notes, versions }: Findings, size: Size): string {
  const { records, large, runs, seconds } = size;
  return `## Method

One organization has ${count(records)} or ${count(large)} campaigns, spread evenly over ten years, with twenty tags. Every
tenth campaign has no tag, the others have one or two. Three programs are compared:

| Program | What it does |
| --- | --- |
| Service | \`email-analytics serve\` as installed, with default settings except \`LOG_LEVEL=warn\`. *Random pages* use \`PAGE_MEMORY_BYTES=0\`, so no response is cached. With events, it is \`serve --only api\`, and another process takes the events. |
| Ceiling | The most that Node can do on this machine: a plain server that sends the same bytes from a buffer, without key lookup or database. |
| Hand-written baseline | Fastify with the plain database driver: looks up the key, finds the page by offset, finds the tags, counts everything and serializes JSON. It returns the same records. |

- A second process sends requests over 16 keep-alive connections. It parses the first response of each, and checks the
  status and length of every other one.
- All requests of a load have the same API key. Those at the same time share one look-up of it: *PostgreSQL, the same
  page* has fewer look-ups than responses.
- *The same page* comes from the service's cache. The baseline has no cache, and asks for the tags of each campaign.
- Throughput and CPU time: each connection sends the next request after a response, for ${seconds} s. CPU time covers all
  threads of the server.
- Latency: requests at fixed times at half that rate, for ${seconds} s, measured from the scheduled time.
  A full garbage collection of V8 delays some of them by 30 to 50 ms, because its threads have no other CPU. With
  cached pages there is one in some runs and none in others.
- A download is sequential on one connection: the first one after a start, or the third.
- Everything is measured ${runs} times in turn. A ratio divides the throughput of the first program in a run by that
  of the second, or their times or CPU times where it says so. The table has the median and range over the runs.

The machine has ${availableParallelism()} CPUs and ran ${versions.join(", ")}. ${pinning}

## Ratios

${ratioTable(ratios)}

## Absolute figures

On that machine. Latencies have medians over the runs, and the 99th percentile its range.

${figureTable(figures)}

${noteList(notes)}
`;
}

export function noteList(notes: readonly string[]): string {
  return notes.map((note) => `- ${note}`).join("\n");
}

export function ratioTable(ratios: readonly Ratio[]): string {
  const columns = ["Comparison", "Median", "Range", "CPU, µs per request", "Goal", "Reached"];
  return table(columns, ratios.map(ratioRow));
}

export function figureTable(figures: readonly Measured[]): string {
  const columns = ["Measurement", "Requests per second", "CPU, µs per request", "p50", "p99", "Maximum"];
  return table(columns, figures.map(figureRow));
}

function ratioRow(ratio: Ratio): string[] {
  const { name, values, unit, goal, cpuUs } = ratio;
  const { least, median, most } = rangeOf(values);
  const shown = (value: number) => `${formatNumber(value, unit)}${unit === "x" ? "" : ` ${unit}`}`;
  const reached = isReached(ratio);
  return [
    capital(name),
    shown(median),
    values.length > 1 ? `${formatNumber(least, unit)} to ${formatNumber(most, unit)}` : "",
    cpuUs ? cpuUs.map(count).join(" to ") : "",
    goal ? `${goal.bound} ${goal.value}${unit === "x" ? "" : ` ${unit}`}` : "",
    reached === undefined ? "" : reached ? "yes" : "no",
  ];
}

function figureRow(measured: Measured): string[] {
  const spread = (of: Range | undefined) =>
    of ? `${count(of.median)} (${count(of.least)} to ${count(of.most)})` : "";
  const latency = (of: "p50" | "p99" | "most") => {
    const found = figuresOf(measured, ({ latencies }) => latencies?.[of]);
    if (!found) return "";
    const { median, least, most } = found;
    const range = of === "p99" ? ` (${least.toFixed(1)} to ${most.toFixed(1)})` : "";
    return `${median.toFixed(2)} ms${range}`;
  };
  return [
    capital(measured.name),
    spread(figuresOf(measured, ({ rate }) => rate)),
    spread(figuresOf(measured, ({ cpuUs }) => cpuUs)),
    latency("p50"),
    latency("p99"),
    latency("most"),
  ];
}

export function table(columns: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return [line(columns), line(columns.map(() => "---")), ...rows.map(line)].join("\n");
}

const count = (value: number) => Math.round(value).toLocaleString("en");
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
