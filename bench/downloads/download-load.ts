// Downloads one file in its own process. Reads its job and prints its report as JSON.

import { get } from "node:http";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { cpuMs, memoryOf } from "../support/process-stats.ts";

export interface DownloadJob {
  url: string;
  path: string;
  key: string;
  /** The process of the server. */
  pid: number;
  /** How fast to read; by default as fast as possible. */
  bytesPerSecond?: number;
  /** Leaves after this time. */
  maxSeconds?: number;
}

export interface DownloadLoad {
  /** Until the first byte of the body. */
  firstMs: number;
  ms: number;
  bytes: number;
  /** Of all threads of the server. */
  cpuMs: number;
  /** The peak of the resident memory of the server over that before the download, in MiB. */
  peakMb: number;
}

const memoryEveryMs = 20;

const { value } = await createInterface({ input: process.stdin })[Symbol.asyncIterator]().next();
const job = JSON.parse(value ?? "{}") as DownloadJob;
const { pid, bytesPerSecond = Number.POSITIVE_INFINITY, maxSeconds = Number.POSITIVE_INFINITY } = job;
const memory = () => memoryOf(pid)?.now ?? 0;

const idleMb = memory();
let peakMb = idleMb;
const timer = setInterval(() => {
  peakMb = Math.max(peakMb, memory());
}, memoryEveryMs);
const cpuBefore = cpuMs(pid) ?? 0;
const startedAt = performance.now();
const elapsed = () => performance.now() - startedAt;
let firstMs: number | undefined;
let bytes = 0;
const { promise, resolve, reject } = Promise.withResolvers<void>();
const headers = { authorization: `Bearer ${job.key}` };
get(job.url + job.path, { headers, agent: false }, async (response) => {
  if (response.statusCode !== 200) reject(new Error(`${job.path}: ${response.statusCode}`));
  for await (const chunk of response) {
    firstMs ??= elapsed();
    bytes += chunk.length;
    const aheadMs = (bytes / bytesPerSecond) * 1000 - elapsed();
    if (aheadMs > 1) await pause(aheadMs);
    if (elapsed() > maxSeconds * 1000) break;
  }
  resolve();
}).on("error", reject);
await promise;
clearInterval(timer);
const report: DownloadLoad = {
  firstMs: firstMs ?? elapsed(),
  ms: elapsed(),
  bytes,
  cpuMs: (cpuMs(pid) ?? 0) - cpuBefore,
  peakMb: peakMb - idleMb,
};
console.log(JSON.stringify(report));
