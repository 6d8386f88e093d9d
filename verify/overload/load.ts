// A process that sends requests at fixed times, however long the responses take, or as fast as they are answered. Reads
// its job from its arguments and prints its report as JSON.

import { setTimeout as pause } from "node:timers/promises";
import { Client, type Outcome } from "./client.ts";
import { eventRequests, pageRequests } from "./requests.ts";

export interface LoadJob {
  url: string;
  key: string;
  requests: { kind: "pages"; records: number } | { kind: "events"; campaigns: number; prefix: string };
  /** Per second. Undefined: each of a few connections sends the next request after a response. */
  rate?: number;
  seconds: number;
  /** Requests that are due in these first seconds are sent, but not counted. */
  warmupSeconds: number;
  deadlineMs: number;
  connections: number;
}

export interface LoadReport {
  /** Requests that were due, per second, by how they ended. */
  rates: Record<Outcome, number>;
  /** Time to a good response, in milliseconds. */
  p50: number;
  p99: number;
  /** How late this process sent requests at the 99th percentile, in milliseconds. */
  lateness: number;
}

const job = JSON.parse(process.argv[2] ?? "") as LoadJob;
const { url, key, requests, seconds, warmupSeconds } = job;
const next =
  requests.kind === "pages"
    ? pageRequests(url, key, requests.records)
    : eventRequests(url, key, requests.campaigns, requests.prefix);
const closedLoopConnections = 16;
const counts: Record<Outcome, number> = { good: 0, refused: 0, late: 0, closed: 0 };
const times: number[] = [];
const latenesses: number[] = [];

const client = new Client({
  ...job,
  onEnd(outcome, dueAt, ms) {
    if (job.rate === undefined) sendNow();
    // In a closed loop a response counts when it arrives.
    const at = job.rate === undefined ? dueAt + ms : dueAt;
    if (at < countedFrom || at >= endAt) return;
    counts[outcome] += 1;
    if (outcome === "good") times.push(ms);
  },
});

await client.open();
const startedAt = performance.now();
const countedFrom = startedAt + warmupSeconds * 1000;
const endAt = startedAt + seconds * 1000;

function sendNow(): void {
  const now = performance.now();
  if (now < endAt) client.send(next(), now);
}

/** Sends everything that is due, as soon as the timer allows. */
async function sendOnSchedule(rate: number): Promise<void> {
  const intervalMs = 1000 / rate;
  for (let dueAt = startedAt; dueAt < endAt; ) {
    const now = performance.now();
    for (; dueAt <= now && dueAt < endAt; dueAt += intervalMs) {
      client.send(next(), dueAt);
      latenesses.push(now - dueAt);
    }
    client.expire(now);
    await pause(1);
  }
}

if (job.rate === undefined) for (let each = 0; each < closedLoopConnections; each++) sendNow();
else await sendOnSchedule(job.rate);
while (!client.isIdle || performance.now() < endAt) {
  await pause(5);
  client.expire(performance.now());
}
client.close();

const counted = seconds - warmupSeconds;
const percentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0;
const report: LoadReport = {
  rates: {
    good: counts.good / counted,
    refused: counts.refused / counted,
    late: counts.late / counted,
    closed: counts.closed / counted,
  },
  p50: percentile(times, 0.5),
  p99: percentile(times, 0.99),
  lateness: percentile(latenesses, 0.99),
};
console.log(JSON.stringify(report));
