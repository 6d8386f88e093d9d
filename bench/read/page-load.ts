// Requests pages from its own process: in a closed loop, then in an open loop at half that rate; or every page once on one
// connection. Reads its job and prints its report as JSON.

import { createInterface } from "node:readline";
import { closedLoop } from "../support/closed-loop.ts";
import { Connection, checkPage } from "../support/connection.ts";
import { openLoop } from "../support/open-loop.ts";
import { cpuMs } from "../support/process-stats.ts";

export interface PageJob {
  url: string;
  /** The process of the server. */
  pid: number;
  /** API keys, used in turn. */
  keys: string[];
  /** Paths with queries, requested in turn. */
  paths: string[];
  /** The keys that lead to the campaigns in a response; by default as the service answers. */
  list?: readonly string[];
  /** If set, every response must be 304. */
  ifNoneMatch?: string;
  /** Whether to request each path once, sequentially. */
  isPull?: boolean;
  /** Of each loop; by default 16. */
  connections?: number;
  /** Duration of each loop. */
  seconds: number;
  /** Whether to run the open loop. */
  hasOpenLoop: boolean;
}

export interface Load {
  /** Requests per second. */
  rate: number;
  seconds: number;
  /** CPU time of the server per request, in microseconds. */
  cpuUs?: number;
  /** The share of one CPU that the server used. */
  cpuShare?: number;
  /** CPU time of the client per request. If it is longer than that of the server, the client is the bottleneck. */
  clientCpuUs?: number;
  /** In the open loop, in milliseconds. */
  latencies?: { p50: number; p99: number; most: number };
}

const loopConnections = 16;

const { value } = await createInterface({ input: process.stdin })[Symbol.asyncIterator]().next();
const job = JSON.parse(value ?? "{}") as PageJob;
const requests = job.paths.map((path, index) => {
  const key = job.keys[index % job.keys.length];
  const condition = job.ifNoneMatch === undefined ? "" : `if-none-match: ${job.ifNoneMatch}\r\n`;
  return Buffer.from(
    `GET ${path} HTTP/1.1\r\nhost: ${new URL(job.url).host}\r\nauthorization: Bearer ${key}\r\n${condition}\r\n`,
  );
});
let position = 0;
const next = () => requests[position++ % requests.length] as Buffer;

const isConditional = job.ifNoneMatch !== undefined;
const connections = await Promise.all(
  Array.from({ length: job.isPull ? 1 : (job.connections ?? loopConnections) }, () =>
    Connection.open(
      job.url,
      isConditional ? 304 : 200,
      isConditional ? () => {} : (body) => checkPage(body, job.list),
    ),
  ),
);
const load = job.isPull ? await pull() : await loops();
for (const connection of connections) connection.end();
console.log(JSON.stringify(load));

async function loops(): Promise<Load> {
  const ms = job.seconds * 1000;
  const notes: Note[] = [];
  const note = (responses: number) => notes.push({ responses, ...clocks() });
  await closedLoop(connections, next, { warmupMs: ms / 4, ms, note });
  const load = loadBetween(notes);
  if (!job.hasOpenLoop) return load;
  const until = performance.now() + ms;
  const isOver = () => performance.now() > until;
  const finished = await openLoop(connections, next, { rate: load.rate / 2, isExact: true, isOver });
  const sorted = Float64Array.from(finished, ({ latency }) => latency).sort();
  const percentile = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
  return { ...load, latencies: { p50: percentile(0.5), p99: percentile(0.99), most: percentile(1) } };
}

async function pull(): Promise<Load> {
  const [connection] = connections;
  const before = { responses: 0, ...clocks() };
  for (const request of requests) {
    await new Promise<void>((resolve) => {
      if (connection) connection.onResponse = resolve;
      connection?.send(request);
    });
  }
  return loadBetween([before, { responses: requests.length, ...clocks() }]);
}

interface Note {
  responses: number;
  at: number;
  /** In milliseconds; undefined where it cannot be measured. */
  serverCpuMs: number | undefined;
  /** In microseconds. */
  clientCpuUs: number;
}

function clocks(): Omit<Note, "responses"> {
  const { user, system } = process.cpuUsage();
  return { at: performance.now(), serverCpuMs: cpuMs(job.pid), clientCpuUs: user + system };
}

function loadBetween([before, after]: Note[]): Load {
  if (!before || !after || after.responses === before.responses) {
    throw new Error(`no response: ${job.paths[0]}`);
  }
  const ms = after.at - before.at;
  const responses = after.responses - before.responses;
  const clientCpuUs = (after.clientCpuUs - before.clientCpuUs) / responses;
  const load: Load = { rate: (responses * 1000) / ms, seconds: ms / 1000, clientCpuUs };
  if (before.serverCpuMs === undefined || after.serverCpuMs === undefined) return load;
  const serverCpuMs = after.serverCpuMs - before.serverCpuMs;
  return { ...load, cpuUs: (serverCpuMs * 1000) / responses, cpuShare: serverCpuMs / ms };
}
