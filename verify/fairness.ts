// Measures how long small requests of one organization take while another sends twice as many events as the service can
// write, from a process of its own.

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { eventsPerRequest } from "./overload/requests.ts";
import { runLoad } from "./overload/run-load.ts";
import { generateEvents } from "./support/generated-events.ts";
import {
  makeOrganization,
  registerCampaigns,
  sendEvents,
  startService,
  stopService,
} from "./support/service.ts";

export interface FairnessOptions {
  /** A new database. */
  databaseUrl: string;
  /** How long each of the three measurements takes. */
  seconds: number;
  /** Connections of the organization that floods the service. */
  connections: number;
  /** Limit on the 99th percentile during the flood, as a multiple of that without. */
  maxSlowdown: number;
  print: (line: string) => void;
}

const campaigns = 20;
const quietBatch = { events: 10, everyMs: 50 } as const;
const deadlineMs = 5_000;

/** @throws AssertionError if the limit is exceeded */
export async function verifyFairness(options: FairnessOptions): Promise<void> {
  const { databaseUrl, seconds, connections, maxSlowdown, print } = options;
  const [flooding, quiet] = [await makeOrganization(databaseUrl), await makeOrganization(databaseUrl)];
  const service = await startService(databaseUrl);
  const { url } = service;
  const flood = (prefix: string, rate?: number) =>
    runLoad({
      ...{ url, key: flooding.ingest, deadlineMs, connections },
      // Longer than the measurements that run meanwhile.
      ...{ seconds: 1.5 * seconds, warmupSeconds: seconds / 4 },
      requests: { kind: "events", campaigns, prefix },
      ...(rate !== undefined && { rate }),
    });
  try {
    for (const { ingest } of [flooding, quiet]) await registerCampaigns(url, ingest, campaigns);
    const send = sender(url, quiet.ingest);
    await sendEvery(quietBatch.everyMs, seconds * 500, send);
    const alone = await sendEvery(quietBatch.everyMs, seconds * 1000, send);
    print(`quiet organization alone: ${describe(alone)}`);
    const peak = (await flood("a")).rates.good;
    print(`events written per second: at most ${Math.round(peak * eventsPerRequest)}`);
    const flooded = flood("b", 2 * peak);
    await sendEvery(quietBatch.everyMs, seconds * 250, send);
    const during = await sendEvery(quietBatch.everyMs, seconds * 1000, send);
    const { rates } = await flooded;
    print(`while another sends ${Math.round(2 * peak * eventsPerRequest)} per second: ${describe(during)}`);
    print(`of those, ${Math.round(rates.good * eventsPerRequest)} are written`);
    const slowdown = percentile(during, 0.99) / percentile(alone, 0.99);
    print(`p99 is ${slowdown.toFixed(1)} times as long`);
    assert.ok(slowdown <= maxSlowdown, `p99 is ${slowdown.toFixed(1)} times as long, above ${maxSlowdown}`);
  } finally {
    await stopService(service);
  }
}

/** Sends a batch of new events, which is accepted. */
function sender(url: string, key: string): () => Promise<unknown> {
  const generator = generateEvents(1_000_000_000, campaigns);
  return () =>
    sendEvents(
      url,
      key,
      Array.from({ length: quietBatch.events }, () => generator.next().value),
    );
}

/**
 * An open loop: sends at fixed times, however long the responses take.
 *
 * @returns the response times in milliseconds, shortest first
 */
async function sendEvery(everyMs: number, ms: number, send: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  const sent: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let dueAt = startedAt; dueAt < startedAt + ms; dueAt += everyMs) {
    await pause(Math.max(0, dueAt - performance.now()));
    const sentAt = performance.now();
    sent.push(send().then(() => void times.push(performance.now() - sentAt)));
  }
  await Promise.all(sent);
  return times.sort((a, b) => a - b);
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0;
}

function describe(times: readonly number[]): string {
  const [p50, p99, max] = [0.5, 0.99, 1].map((share) => percentile(times, share).toFixed(1));
  return `p50 ${p50} ms, p99 ${p99} ms, maximum ${max} ms`;
}
