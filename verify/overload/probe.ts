// A process that requests the health checks at fixed times, and the same from a bare server as a reference: what that one
// takes longer under load is the delay of the computer. Prints its report as JSON when its standard input ends.

import { once } from "node:events";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { isMainThread, parentPort, Worker } from "node:worker_threads";

/** The longest and the 99th percentile, in milliseconds, by what was requested. */
export type ProbeReport = Record<
  "healthz" | "readyz" | "reference",
  { p99: number; longest: number; count: number }
>;

const everyMs = 50;

if (isMainThread) await probe(process.argv[2] ?? "");
else serveReference();

async function probe(url: string): Promise<void> {
  const reference = new Worker(new URL(import.meta.url));
  const [port] = (await once(reference, "message")) as [number];
  const targets = {
    healthz: `${url}/healthz`,
    readyz: `${url}/readyz`,
    reference: `http://127.0.0.1:${port}/`,
  };
  const times: Record<string, number[]> = { healthz: [], readyz: [], reference: [] };
  let isOver = false;
  process.stdin.on("end", () => {
    isOver = true;
  });
  process.stdin.resume();
  const sent: Promise<void>[] = [];
  for (let dueAt = performance.now(); !isOver; dueAt += everyMs) {
    await pause(Math.max(0, dueAt - performance.now()));
    for (const [name, target] of Object.entries(targets)) {
      sent.push(timeOf(target).then((ms) => void times[name]?.push(ms)));
    }
  }
  await Promise.all(sent);
  await reference.terminate();
  const report = Object.fromEntries(
    Object.entries(times).map(([name, values]) => {
      const sorted = values.toSorted((a, b) => a - b);
      const p99 = sorted[Math.floor((sorted.length - 1) * 0.99)] ?? 0;
      return [name, { p99, longest: sorted.at(-1) ?? 0, count: sorted.length }];
    }),
  );
  console.log(JSON.stringify(report));
}

/** On a connection of its own, as many load balancers do. */
function timeOf(url: string): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`));
      response.resume().on("end", () => resolve(performance.now() - startedAt));
    }).on("error", reject);
  });
}

function serveReference(): void {
  const server = createServer((_request, response) => response.end('{"status":"ok"}'));
  server.listen(0, "127.0.0.1", () => parentPort?.postMessage((server.address() as AddressInfo).port));
}
