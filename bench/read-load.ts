// Asks for pages from a process of its own: in a closed loop, then in an open one at half of that rate; or each page
// once, in a row on one connection. Reads what to do as JSON, and prints what it saw as JSON.

import { createInterface } from "node:readline";
import { Connection, checkPage } from "./connection.ts";
import { closedLoop, openLoop } from "./loops.ts";
import { processorMs } from "./process-figures.ts";

export interface ReadJob {
  url: string;
  /** The process that is asked. */
  pid: number;
  key: string;
  /** Paths with their query; asked for in turn, and again. */
  paths: string[];
  /** Sent with each request; then each has to be answered 304. */
  ifNoneMatch?: string;
  /** Asks for each path once, and in a row. */
  isPull?: boolean;
  /** Of each of the two loops. */
  seconds: number;
  /** Whether there is an open loop at all. */
  hasOpenLoop: boolean;
}

export interface Load {
  /** Requests a second. */
  rate: number;
  seconds: number;
  /** Processor time of the process that is asked, for each request, in microseconds. */
  processorUs?: number;
  /** How much of a processor the process that is asked took. */
  busy?: number;
  /** Processor time of whoever asks, for each request: where it is the larger one, the asking is the limit. */
  askingUs?: number;
  /** Of the open loop, in milliseconds. */
  latencies?: { p50: number; p99: number; most: number };
}

const connectionsOfLoops = 16;

const { value } = await createInterface({ input: process.stdin })[Symbol.asyncIterator]().next();
const job = JSON.parse(value ?? "{}") as ReadJob;
const requests = job.paths.map((path) => {
  const condition = job.ifNoneMatch === undefined ? "" : `if-none-match: ${job.ifNoneMatch}\r\n`;
  return Buffer.from(
    `GET ${path} HTTP/1.1\r\nhost: ${new URL(job.url).host}\r\nauthorization: Bearer ${job.key}\r\n${condition}\r\n`,
  );
});
let place = 0;
const next = () => requests[place++ % requests.length] as Buffer;

const isConditional = job.ifNoneMatch !== undefined;
const connections = await Promise.all(
  Array.from({ length: job.isPull ? 1 : connectionsOfLoops }, () =>
    Connection.open(job.url, isConditional ? 304 : 200, isConditional ? () => {} : checkPage),
  ),
);
const load = job.isPull ? await pull() : await loops();
for (const connection of connections) connection.end();
console.log(JSON.stringify(load));

async function loops(): Promise<Load> {
  const ms = job.seconds * 1000;
  const notes: Note[] = [];
  const note = (answers: number) => notes.push({ answers, ...clocks() });
  await closedLoop(connections, next, { warmupMs: ms / 4, ms, note });
  const load = loadBetween(notes);
  if (!job.hasOpenLoop) return load;
  const until = performance.now() + ms;
  const isOver = () => performance.now() > until;
  const asked = await openLoop(connections, next, { rate: load.rate / 2, isExact: true, isOver });
  const sorted = Float64Array.from(asked, ({ latency }) => latency).sort();
  const percentile = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  return { ...load, latencies: { p50: percentile(0.5), p99: percentile(0.99), most: percentile(1) } };
}

async function pull(): Promise<Load> {
  const [connection] = connections;
  const before = { answers: 0, ...clocks() };
  for (const request of requests) {
    await new Promise<void>((resolve) => {
      if (connection) connection.onAnswer = resolve;
      connection?.ask(request);
    });
  }
  return loadBetween([before, { answers: requests.length, ...clocks() }]);
}

interface Note {
  answers: number;
  at: number;
  processor: number | undefined;
  asking: number;
}

function clocks(): Omit<Note, "answers"> {
  const { user, system } = process.cpuUsage();
  return { at: performance.now(), processor: processorMs(job.pid), asking: user + system };
}

function loadBetween([before, after]: Note[]): Load {
  if (!before || !after || after.answers === before.answers) throw new Error(`not answered: ${job.paths[0]}`);
  const ms = after.at - before.at;
  const answers = after.answers - before.answers;
  const askingUs = (after.asking - before.asking) / answers;
  const load = { rate: (answers * 1000) / ms, seconds: ms / 1000, askingUs };
  if (before.processor === undefined || after.processor === undefined) return load;
  const processor = after.processor - before.processor;
  return { ...load, processorUs: (processor * 1000) / answers, busy: processor / ms };
}
