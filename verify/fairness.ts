// Measures how long small requests of one organization take while another sends twice as many events as the service can
// write.

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { generateEvents } from "./support/generated-events.ts";
import { request } from "./support/request.ts";
import { makeOrganization, registerCampaigns, startService, stopService } from "./support/service.ts";

export interface FairnessOptions {
  /** A new database. */
  databaseUrl: string;
  /** How long each of the three measurements takes. */
  seconds: number;
  /** Limit on the 99th percentile during the flood, as a multiple of that without. */
  maxSlowdown: number;
  /** Limit on the events per second that are written during the flood, as a share of those without overload. */
  minGoodput: number;
  print: (line: string) => void;
}

const campaigns = 20;
const quietBatch = { events: 10, everyMs: 50 } as const;
const floodBatch = { events: 500, connections: 4 } as const;

/** Sends a batch of new events. Returns how many were accepted: none if the queue is full. */
type Send = () => Promise<number>;

/** @throws AssertionError if a limit is exceeded */
export async function verifyFairness(options: FairnessOptions): Promise<void> {
  const { databaseUrl, seconds, maxSlowdown, minGoodput, print } = options;
  const keys = [await makeOrganization(databaseUrl), await makeOrganization(databaseUrl)] as const;
  const service = await startService(databaseUrl);
  try {
    for (const { ingest } of keys) await registerCampaigns(service.url, ingest, campaigns);
    const [flooding, quiet] = keys.map(({ ingest }, index) =>
      sender(service.url, ingest, index === 0 ? floodBatch.events : quietBatch.events),
    ) as [Send, Send];
    const ms = seconds * 1000;
    await sendEvery(quietBatch.everyMs, ms / 2, quiet);
    const alone = await sendEvery(quietBatch.everyMs, ms, quiet);
    const peak = await measurePeak(flooding, ms);
    const floodEveryMs = (floodBatch.events * 1000) / (2 * peak);
    const [flood, during] = await Promise.all([
      sendEvery(floodEveryMs, ms, flooding),
      sendEvery(quietBatch.everyMs, ms, quiet),
    ]);
    const goodput = flood.acceptedInTime / seconds;
    print(`quiet organization alone: ${describe(alone.times)}`);
    print(`while another sends ${Math.round(2 * peak)} events per second: ${describe(during.times)}`);
    print(`events written per second: at most ${Math.round(peak)}, in the flood ${Math.round(goodput)}`);
    const slowdown = percentile(during.times, 0.99) / percentile(alone.times, 0.99);
    assert.ok(slowdown <= maxSlowdown, `p99 is ${slowdown.toFixed(1)} times as long, above ${maxSlowdown}`);
    assert.ok(goodput >= minGoodput * peak, `goodput is ${(goodput / peak).toFixed(2)}, below ${minGoodput}`);
  } finally {
    await stopService(service);
  }
}

function sender(url: string, key: string, events: number): Send {
  const generator = generateEvents(1_000_000_000, campaigns);
  return async () => {
    const batch = Array.from({ length: events }, () => generator.next().value);
    const { status, text } = await request(`${url}/ingest/v1/events`, key, JSON.stringify({ events: batch }));
    if (status !== 200 && status !== 503) throw new Error(`${status} ${text}`);
    return status === 200 ? (JSON.parse(text) as { accepted: number }).accepted : 0;
  };
}

/** An open loop: sends at fixed times, however long the responses take. */
async function sendEvery(everyMs: number, ms: number, send: Send) {
  const times: number[] = [];
  const sent: Promise<void>[] = [];
  let acceptedInTime = 0;
  const startedAt = performance.now();
  for (let dueAt = startedAt; dueAt < startedAt + ms; dueAt += everyMs) {
    await pause(Math.max(0, dueAt - performance.now()));
    const sentAt = performance.now();
    sent.push(
      send().then((accepted) => {
        times.push(performance.now() - sentAt);
        if (performance.now() < startedAt + ms) acceptedInTime += accepted;
      }),
    );
  }
  await Promise.all(sent);
  return { times: times.sort((a, b) => a - b), acceptedInTime };
}

/** Events per second in a closed loop. */
async function measurePeak(send: Send, ms: number): Promise<number> {
  const startedAt = performance.now();
  let accepted = 0;
  const connection = async () => {
    while (performance.now() < startedAt + ms) accepted += await send();
  };
  await Promise.all(Array.from({ length: floodBatch.connections }, connection));
  return (accepted * 1000) / (performance.now() - startedAt);
}

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0;
}

function describe(times: readonly number[]): string {
  const [p50, p99, max] = [0.5, 0.99, 1].map((share) => percentile(times, share).toFixed(1));
  return `p50 ${p50} ms, p99 ${p99} ms, maximum ${max} ms`;
}
