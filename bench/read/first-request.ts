// Measures whether the first request for records delays others: another connection requests /healthz at fixed times.
// Reads its job and prints its report as JSON.

import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { Connection, checkPage } from "../support/connection.ts";
import { openLoop } from "../support/open-loop.ts";

export interface FirstRequestJob {
  url: string;
  key: string;
  path: string;
}

export interface FirstRequest {
  /** Response time of the first request. */
  firstMs: number;
  /** The longest response time of the others, from their scheduled time. */
  longestMs: number;
}

const everyMs = 5;
/** Before the first request, to warm up everything else, and after it. */
const aroundMs = 300;

const { value } = await createInterface({ input: process.stdin })[Symbol.asyncIterator]().next();
const { url, key, path } = JSON.parse(value ?? "{}") as FirstRequestJob;
const request = (path: string) =>
  Buffer.from(`GET ${path} HTTP/1.1\r\nhost: ${new URL(url).host}\r\nauthorization: Bearer ${key}\r\n\r\n`);
const health = request("/healthz");
const reader = await Connection.open(url, 200, checkPage);
const other = await Connection.open(url, 200, () => {});
let isOver = false;
const watching = openLoop([other], () => health, {
  rate: 1000 / everyMs,
  isExact: true,
  isOver: () => isOver,
});
await pause(aroundMs);
const askedAt = performance.now();
await new Promise<void>((resolve) => {
  reader.onResponse = resolve;
  reader.send(request(path));
});
const firstMs = performance.now() - askedAt;
await pause(aroundMs);
isOver = true;
const after = (await watching).filter(({ dueAt }) => dueAt > askedAt - everyMs);
const report: FirstRequest = { firstMs, longestMs: Math.max(...after.map(({ latency }) => latency)) };
console.log(JSON.stringify(report));
reader.end();
other.end();
