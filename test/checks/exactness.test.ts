// Compares every number of every record with the test oracle: many events, each sent once or several times, in random
// order, over several connections.

import assert from "node:assert/strict";
import test from "node:test";
import { checkRecords } from "../support/check-records.ts";
import { generateEvents, requestBodies } from "../support/generated-events.ts";
import { Random } from "../support/histories.ts";
import { isFullSize, randomCases, report } from "../support/random-cases.ts";
import {
  makeOrganization,
  registerCampaigns,
  sendAll,
  startService,
  stopService,
} from "../support/service-process.ts";
import { makeDatabase, run } from "../support/world.ts";

const maxTimesSent = 46;
const campaigns = isFullSize ? 50 : 9;
const connections = 8;

test("every number of every record equals the oracle's after repeated events in random order", async (t) => {
  const databaseUrl = await makeDatabase(t);
  const keys = await makeOrganization(databaseUrl);
  const service = await startService(databaseUrl);
  try {
    await registerCampaigns(service.url, keys.ingest, campaigns);
    const events = [...generateEvents(randomCases(1_000, 1_000_000), campaigns)];
    const order = sendingOrder(events.length);
    const started = performance.now();
    const bodies = requestBodies(order.length, (position) => events[order[position] ?? 0]);
    const replies = await sendAll(service.url, keys.ingest, bodies, connections);
    const seconds = (performance.now() - started) / 1000;
    report(
      `${events.length} events, sent ${order.length} times over ${connections} connections in ${seconds.toFixed(1)} s: ${JSON.stringify(replies)}`,
    );
    assert.deepEqual(replies, {
      accepted: events.length,
      repeated: order.length - events.length,
      quarantined: 0,
    });
    for (const counts of ["people", "all"] as const) {
      await run(databaseUrl, ["organization", "change", "--organization", "1", "--count", counts]);
      const fields = await checkRecords(service.url, keys.read, { campaigns, events, counts });
      report(`counting ${counts}: ${fields} fields of ${campaigns} records equal those of the oracle`);
    }
    const recounted = await run(databaseUrl, ["recount"]);
    assert.equal(recounted.exitCode, 0, recounted.stderr);
    report(recounted.stderr.trim());
  } finally {
    await stopService(service);
  }
});

/** Indexes of events in the order of sending: most once or twice, some up to 46 times. */
function sendingOrder(events: number): Uint32Array {
  const random = new Random(events);
  const indexes: number[] = [];
  for (let index = 0; index < events; index++) {
    const times = random.chance(70)
      ? 1
      : random.chance(80)
        ? random.between(2, 5)
        : random.between(6, maxTimesSent);
    for (let time = 0; time < times; time++) indexes.push(index);
  }
  const order = Uint32Array.from(indexes);
  for (let last = order.length - 1; last > 0; last--) {
    const other = random.between(0, last);
    const swapped = order[last] ?? 0;
    order[last] = order[other] ?? 0;
    order[other] = swapped;
  }
  return order;
}
