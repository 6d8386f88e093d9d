// Requests pages from its own process in a closed loop. Reads its job and prints its report as JSON.

import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { Connection, checkPage } from "../support/connection.ts";
import { cpuMs } from "../support/process-stats.ts";

export interface PageJob {
  url: string;
  /** The process of the server. */
  pid: number;
  key: string;
  /** Paths with queries, requested in turn. */
  paths: string[];
  /** Duration of the loop. */
  seconds: number;
}

export interface Load {
  /** Requests per second. */
  rate: number;
  /** CPU time of the server per request, in microseconds; NaN where the system does not tell it. */
  cpuUs: number;
  /** CPU time of the client per request. If it is longer than that of the server, the client is the bottleneck. */
  clientCpuUs: number;
}

const connectionCount = 16;

const { value } = await createInterface({ input: process.stdin })[Symbol.asyncIterator]().next();
const job = JSON.parse(value ?? "{}") as PageJob;
const headers = `host: ${new URL(job.url).host}\r\nauthorization: Bearer ${job.key}\r\n\r\n`;
const requests = job.paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\n${headers}`));
let sent = 0;
let responses = 0;
let isOver = false;

/** Sends the next request after each response. */
async function loop(): Promise<void> {
  const connection = await Connection.open(job.url, 200, checkPage);
  for (; !isOver; responses++) {
    await new Promise<void>((resolve) => {
      connection.onResponse = resolve;
      connection.send(requests[sent++ % requests.length] as Buffer);
    });
  }
  connection.end();
}

function clocks() {
  const { user, system } = process.cpuUsage();
  return { responses, at: performance.now(), cpu: cpuMs(job.pid) ?? Number.NaN, clientCpu: user + system };
}

const loops = Array.from({ length: connectionCount }, loop);
await pause(job.seconds * 250);
const before = clocks();
// On an overloaded computer the first response can take longer.
do await pause(job.seconds * 1000);
while (responses === before.responses);
const after = clocks();
isOver = true;
await Promise.all(loops);
const done = after.responses - before.responses;
const load: Load = {
  rate: (done * 1000) / (after.at - before.at),
  cpuUs: ((after.cpu - before.cpu) * 1000) / done,
  clientCpuUs: (after.clientCpu - before.clientCpu) / done,
};
console.log(JSON.stringify(load));
