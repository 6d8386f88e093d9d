// Sends events at a steady rate, in batches that are due at fixed times, until its standard input ends. Reads where to as
// JSON, and prints how many events were taken as JSON.

import { createInterface } from "node:readline";
import { madeUpEvents } from "../verify/made-up-events.ts";
import { Connection } from "./connection.ts";
import { openLoop } from "./loops.ts";

export interface EventJob {
  url: string;
  key: string;
  /** The events are of the campaigns 1 to this. */
  campaigns: number;
  eventsPerBatch: number;
  /** A second. */
  batches: number;
  /** Begins the ids of the events, which come once only. */
  prefix: string;
}

export interface EventsTaken {
  events: number;
  seconds: number;
}

const connectionsMax = 4;
/** More than are ever sent. */
const eventsMax = 100_000_000;

const lines = createInterface({ input: process.stdin });
const { value } = await lines[Symbol.asyncIterator]().next();
const job = JSON.parse(value ?? "{}") as EventJob;
let isOver = false;
process.stdin.on("end", () => {
  isOver = true;
});
process.stdin.resume();

const events = madeUpEvents(eventsMax, job.campaigns, job.prefix);
const head = `POST /ingest/v1/events HTTP/1.1\r\nhost: ${new URL(job.url).host}\r\nauthorization: Bearer ${job.key}\r\ncontent-type: application/json\r\n`;
const nextBatch = () => {
  const some = Array.from({ length: job.eventsPerBatch }, () => events.next().value);
  const body = JSON.stringify({ events: some });
  return Buffer.from(`${head}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
};
const checkAccepted = (body: string) => {
  if (JSON.parse(body).accepted !== job.eventsPerBatch) throw new Error(`not accepted: ${body}`);
};
const connections = await Promise.all(
  Array.from({ length: connectionsMax }, () => Connection.open(job.url, 200, checkAccepted)),
);
// An empty line says that it begins.
console.log("");
const startedAt = performance.now();
const asked = await openLoop(connections, nextBatch, {
  rate: job.batches,
  isExact: false,
  isOver: () => isOver,
});
const seconds = (performance.now() - startedAt) / 1000;
for (const connection of connections) connection.end();
const taken: EventsTaken = { events: asked.length * job.eventsPerBatch, seconds };
console.log(JSON.stringify(taken));
