// Sends large bodies that the server rejects. Every client reads the answer; it never gets a connection reset instead.

import assert from "node:assert/strict";
import { join } from "node:path";
import test from "node:test";
import { isFullSize, randomCases, report } from "../../support/random-cases.ts";
import { type Keys, makeOrganization, startService, stopService } from "../../support/service-process.ts";
import { makeFolder } from "../../support/world.ts";
import { type Client, nodeClients, type RejectedRequest, refusalClients } from "./clients.ts";
import { FullQueue, queueBytes } from "./full-queue.ts";

const bodyBytes = 50_000_000;
const eventsPath = "/ingest/v1/events";

/** Requests that each client sends, one after the other. */
const trials = randomCases(2, 1_000);

test("clients read the rejection of a body of 50 MB while they send it", async (t) => {
  const clients = isFullSize ? refusalClients : nodeClients;
  const databaseUrl = `sqlite:${join(makeFolder(t), "refusals.db")}`;
  const keys = await makeOrganization(databaseUrl);
  const busy = await makeOrganization(databaseUrl);
  const environment = { INGEST_QUEUE_BYTES: String(queueBytes) };
  const service = await startService(databaseUrl, { environment });
  const queue = new FullQueue(`${service.url}${eventsPath}`, busy.ingest);
  try {
    const requests = rejectedRequests(service.url, keys, { key: busy.ingest, queue });
    const body = Buffer.alloc(bodyBytes, "x");
    for (const client of clients) {
      if (!client.isInstalled()) {
        report(`${client.name.padEnd(6)} is not installed, so it is not tried`);
        continue;
      }
      const lost = await sendAll(client, requests, body, trials);
      const count = Object.values(lost).reduce((sum, each) => sum + each, 0);
      report(`${client.name.padEnd(6)} read ${trials - count} of ${trials} answers`);
      assert.deepEqual(lost, {}, `${client.name} did not read every answer`);
    }
  } finally {
    queue.release();
    await stopService(service);
  }
});

/** Requests that the server rejects before it has read their body, in the order of its checks. */
function rejectedRequests(
  url: string,
  keys: Keys,
  busy: { key: string; queue: FullQueue },
): RejectedRequest[] {
  const events = `${url}${eventsPath}`;
  const prepare = () => busy.queue.fill();
  return [
    { status: 404, url: `${url}/nowhere`, key: keys.ingest },
    { status: 405, url: `${url}/data_api/v1/emails`, key: keys.read },
    { status: 401, url: events, key: "nonsense" },
    { status: 403, url: events, key: keys.read },
    { status: 503, url: events, key: busy.key, prepare },
    { status: 503, url: events, key: busy.key, prepare, isChunked: true },
    { status: 413, url: events, key: keys.ingest },
    { status: 413, url: events, key: keys.ingest, isChunked: true },
  ];
}

/** Returns how often the client got each error instead of the answer. */
async function sendAll(
  client: Client,
  requests: readonly RejectedRequest[],
  body: Buffer<ArrayBuffer>,
  trials: number,
): Promise<Record<string, number>> {
  const lost: Record<string, number> = {};
  for (let trial = 0; trial < trials; trial++) {
    const request = requests[trial % requests.length] as RejectedRequest;
    await request.prepare?.();
    const outcome = await client.send(request, body);
    if (outcome !== String(request.status)) lost[outcome] = (lost[outcome] ?? 0) + 1;
  }
  return lost;
}
