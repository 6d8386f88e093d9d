// Sends events at a steady rate, in batches at fixed times, until its standard input ends. Reads its job and prints its
// report as JSON.

import { createInterface } from "node:readline";
import { generateEvents } from "../../test/support/generated-events.ts";
import { Connection } from "./connection.ts";
import type { EventJob, EventsTaken } from "./event-stream.ts";

const maxConnections = 4;
/** More than are ever sent. */
const maxEvents = 100_000_000;

const lines = createInterface({ input: process.stdin });
const { value } = await lines[Symbol.asyncIterator]().next();
const job = JSON.parse(value ?? "{}") as EventJob;
let isOver = false;
process.stdin.on("end", () => {
  isOver = true;
});
process.stdin.resume();

const events = generateEvents(maxEvents, job.campaigns, job.prefix);
const nextEvent = () => {
  const { value } = events.next();
  return value && { ...value, campaign_id: value.campaign_id + job.firstCampaign - 1 };
};
const headers = `POST /ingest/v1/events HTTP/1.1\r\nhost: ${new URL(job.url).host}\r\nauthorization: Bearer ${job.key}\r\ncontent-type: application/json\r\n`;
const nextBatch = () => {
  const some = Array.from({ length: job.eventsPerBatch }, nextEvent);
  const body = JSON.stringify({ events: some });
  return Buffer.from(`${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
};
const checkAccepted = (body: string) => {
  if (JSON.parse(body).accepted !== job.eventsPerBatch) throw new Error(`not accepted: ${body}`);
};
const connections = await Promise.all(
  Array.from({ length: maxConnections }, () => Connection.open(job.url, 200, checkAccepted)),
);
// An empty line tells the parent that the load has started.
console.log("");
const startedAt = performance.now();
const batches = await openLoop(connections, nextBatch, { rate: job.batches, isOver: () => isOver });
const seconds = (performance.now() - startedAt) / 1000;
for (const connection of connections) connection.end();
const report: EventsTaken = { events: batches * job.eventsPerBatch, seconds };
console.log(JSON.stringify(report));

/**
 * A request that finds no free connection waits for one, so that a slow server gets no fewer of them. The connections take
 * turns: the server closes one that sends nothing.
 *
 * @returns how many requests were answered
 */
function openLoop(
  connections: readonly Connection[],
  next: () => Buffer,
  { rate, isOver }: { rate: number; isOver: () => boolean },
): Promise<number> {
  const idle = [...connections];
  const startedAt = performance.now();
  let sent = 0;
  return new Promise((resolve) => {
    const send = () => {
      const due = isOver() ? 0 : ((performance.now() - startedAt) / 1000) * rate;
      while (sent < due) {
        const connection = idle.shift();
        if (!connection) break;
        sent += 1;
        connection.send(next());
      }
      if (isOver() && idle.length === connections.length) resolve(sent);
      else setTimeout(send, 1);
    };
    for (const connection of connections) connection.onResponse = () => void idle.push(connection);
    send();
  });
}
