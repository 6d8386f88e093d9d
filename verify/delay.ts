// Measures the event loop delay of the server while events arrive and pages are read.

import assert from "node:assert/strict";
import { join } from "node:path";
import { generateEvents, requestBodies } from "./support/generated-events.ts";
import {
  makeOrganization,
  type RunningService,
  registerCampaigns,
  sendAll,
  sendEvents,
  startService,
  stopService,
} from "./support/service.ts";

export interface DelayOptions {
  folder: string;
  events: number;
  /** At the 99th percentile. */
  maxDelayMs: number;
  print: (line: string) => void;
}

const campaigns = 50;
const connections = 4;
const warmupRequests = 10;
const pageIntervalMs = 5;
/** Measures inside the server process, from SIGUSR2 on, and prints the result when the process ends. */
const measureDelay = `data:text/javascript,${encodeURIComponent(`
  import { monitorEventLoopDelay } from "node:perf_hooks";
  import { isMainThread } from "node:worker_threads";
  const delay = monitorEventLoopDelay({ resolution: 1 });
  process.on("SIGUSR2", () => { delay.reset(); delay.enable(); });
  if (isMainThread) process.on("exit", () => console.error("delay=" + JSON.stringify(
    { p50: delay.percentile(50) / 1e6, p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 })));
`)}`;

/** @throws AssertionError if the 99th percentile of the delay is too long */
export async function verifyDelay({ folder, events: count, maxDelayMs, print }: DelayOptions): Promise<void> {
  const databaseUrl = `sqlite:${join(folder, "delay.db")}`;
  const keys = await makeOrganization(databaseUrl);
  const command = [process.execPath, "--import", measureDelay];
  const service = await startService(databaseUrl, { command });
  await registerCampaigns(service.url, keys.ingest, campaigns);
  const events = generateEvents(count, campaigns);
  const bodies = [...requestBodies(count, () => events.next().value ?? undefined)];
  for (const body of bodies.splice(0, warmupRequests)) await sendEvents(service.url, keys.ingest, body);
  service.child.kill("SIGUSR2");
  const startedAt = performance.now();
  let isOver = false;
  const reading = readPages(service, keys.read, () => isOver);
  const { accepted } = await sendAll(service.url, keys.ingest, bodies, connections);
  const seconds = (performance.now() - startedAt) / 1000;
  isOver = true;
  const times = (await reading).sort((a, b) => a - b);
  await stopService(service);
  const delay = JSON.parse(/delay=(.*)/.exec(service.stderr())?.[1] ?? "{}");
  const timeAt = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(1);
  print(
    `${Math.round(accepted / seconds)} events per second for ${seconds.toFixed(1)} s, and ${times.length} pages of 50`,
  );
  print(
    `event loop delay: p50 ${delay.p50.toFixed(1)} ms, p99 ${delay.p99.toFixed(1)} ms, maximum ${delay.max.toFixed(1)} ms`,
  );
  print(`response time of a page: p50 ${timeAt(0.5)} ms, p99 ${timeAt(0.99)} ms`);
  assert.ok(delay.p99 < maxDelayMs, `p99 ${delay.p99} ms is not below ${maxDelayMs} ms`);
}

/** @returns the response times, in milliseconds */
async function readPages({ url }: RunningService, key: string, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (!isOver()) {
    const sentAt = performance.now();
    const response = await fetch(`${url}/data_api/v1/emails?per_page=50`, {
      headers: { authorization: `Bearer ${key}` },
    });
    assert.equal(response.status, 200);
    await response.arrayBuffer();
    times.push(performance.now() - sentAt);
    await new Promise((resolve) => setTimeout(resolve, pageIntervalMs));
  }
  return times;
}
