// The findings as the page for users, docs/performance.md.

import { availableParallelism } from "node:os";
import { isPinned } from "./pinned.ts";
import {
  type Findings,
  figuresOf,
  isReached,
  type Measured,
  type Ratio,
  type Spread,
  spreadOf,
} from "./read-findings.ts";
import type { Effort } from "./read-in-turn.ts";
import { number } from "./read-report.ts";

interface Size extends Effort {
  records: number;
  large: number;
}

const pinning = isPinned
  ? "The server was\nbound to one processor and whoever asked to another; only PostgreSQL could use both."
  : "Nothing was bound to a\nprocessor.";

export function performancePage({ ratios, figures, remarks, versions }: Findings, size: Size): string {
  const { records, large, runs, seconds } = size;
  return `# Performance

How fast [the interface](api.md) answers, measured by \`npm run bench -- read\`, which writes this page.

## What was measured

One organization with ${count(records)} campaigns, or with ${count(large)} where it says so, spread evenly over ten years, with
twenty tags: every tenth campaign has no tag, the others have one or two. Three programs answer in turn:

| | |
| --- | --- |
| The service | \`email-analytics serve\`, the program as it is installed, with the settings that it has by itself, but \`LOG_LEVEL=warn\` where it does not say otherwise. *Random pages*, and those they are compared with, were asked for with \`PAGE_MEMORY_BYTES=0\`, so that nothing is remembered from one request to the next; beside events it was \`serve --only api\`, and another process took them. |
| The ceiling | A server of Node's own that sends the same bytes from one buffer, and does nothing else: it looks up no key and reads no database. |
| An hour's work | Fastify over the same database with the plain driver: it looks up the key, finds the page by an offset, finds the tags, counts everything and makes JSON of it. It gives the same records. |

A second process asks, over 16 connections that stay open. First each connection sends the next request as soon as it
has its answer, for ${seconds} s; that gives the rate, and the time of the processor for each request, of all threads of the
server. Then requests are due at fixed times, half as many as that, for ${seconds} s; a latency counts from when the request was
due, so that waiting for others is in it. A pull is one request after the other on one connection: the
first one of a service that was just started and has come to rest, or the third, as of a tool that pulls everything
again and again. Of every answer the status was checked, and that its
body is as long as it says; of the first on each connection, what it holds.

Everything was measured ${runs} times, in turn. Of each ratio, which compares two programs in one and the same run, the
median is shown, with the least and the most; the time of the processor beside it is that of a request to each of the
two.

The machine has ${availableParallelism()} processors and ran ${versions.join(", ")}. ${pinning}

## Ratios

${table(
  ["What", "Median", "Least to most", "Processor, µs a request", "Goal", "Reached"],
  ratios.map((ratio) => ratioRow(ratio)),
)}

## Absolute figures

They are of that machine. Latencies are medians of those of the runs.

${table(
  ["What", "Requests a second", "Processor, µs a request", "p50", "p99", "Longest"],
  figures.map((measured) => figureRow(measured)),
)}

${remarks.map((remark) => `- ${remark}`).join("\n")}

## Repeat it

In a checkout, after \`npm ci\`, on a machine that has nothing else to do:

\`\`\`sh
npm run bench -- read
npm run bench -- read --records 5000 --large 20000 --runs 2 --seconds 1   # in short, and without writing this page
\`\`\`
`;
}

function ratioRow(ratio: Ratio): string[] {
  const { name, values, unit, goal, processorUs } = ratio;
  const { least, median, most } = spreadOf(values);
  const shown = (value: number) => `${number(value, unit)}${unit === "x" ? "" : ` ${unit}`}`;
  const reached = isReached(ratio);
  return [
    capital(name),
    shown(median),
    values.length > 1 ? `${number(least, unit)} to ${number(most, unit)}` : "",
    processorUs ? processorUs.map(count).join(" to ") : "",
    goal ? `${goal.bound} ${goal.value}${unit === "x" ? "" : ` ${unit}`}` : "",
    reached === undefined ? "" : reached ? "yes" : "no",
  ];
}

function figureRow(measured: Measured): string[] {
  const spread = (of: Spread | undefined) =>
    of ? `${count(of.median)} (${count(of.least)} to ${count(of.most)})` : "";
  const latency = (of: "p50" | "p99" | "most") => {
    const found = figuresOf(measured, ({ latencies }) => latencies?.[of]);
    return found ? `${found.median.toFixed(2)} ms` : "";
  };
  return [
    capital(measured.name),
    spread(figuresOf(measured, ({ rate }) => rate)),
    spread(figuresOf(measured, ({ processorUs }) => processorUs)),
    latency("p50"),
    latency("p99"),
    latency("most"),
  ];
}

function table(columns: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return [line(columns), line(columns.map(() => "---")), ...rows.map(line)].join("\n");
}

const count = (value: number) => Math.round(value).toLocaleString("en");
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
