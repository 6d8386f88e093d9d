// Whether the first request for records holds up others: meanwhile another connection asks for /healthz at fixed times.
// Reads where to as JSON, and prints what it saw as JSON.

import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { Connection, checkPage } from "./connection.ts";
import { openLoop } from "./loops.ts";

export interface HoldUpJob {
  url: string;
  key: string;
  path: string;
}

export interface HoldUp {
  /** How long the first request took. */
  firstMs: number;
  /** The longest of the others from then on, from when it was due. */
  longestMs: number;
}

const everyMs = 5;
/** Before the first request, so that all else has been asked once; and after it, for what follows. */
const aroundMs = 300;

const { value } = await createInterface({ input: process.stdin })[Symbol.asyncIterator]().next();
const { url, key, path } = JSON.parse(value ?? "{}") as HoldUpJob;
const request = (address: string) =>
  Buffer.from(
    `GET ${address} HTTP/1.1\r\nhost: ${new URL(url).host}\r\nauthorization: Bearer ${key}\r\n\r\n`,
  );
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
  reader.onAnswer = resolve;
  reader.ask(request(path));
});
const firstMs = performance.now() - askedAt;
await pause(aroundMs);
isOver = true;
const after = (await watching).filter(({ dueAt }) => dueAt > askedAt - everyMs);
const holdUp: HoldUp = { firstMs, longestMs: Math.max(...after.map(({ latency }) => latency)) };
console.log(JSON.stringify(holdUp));
reader.end();
other.end();
