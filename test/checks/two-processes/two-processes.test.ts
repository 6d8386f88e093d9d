// Two server processes on one database receive the same events at the same time, in different orders, one of them up to 46
// times. Each event is counted once, and every number of every record equals the oracle's. A client that reads changes from both
// meanwhile has the same records in the end.

import assert from "node:assert/strict";
import test from "node:test";
import { sqlitePath } from "../../../src/storage/open-database.ts";
import { checkRecords } from "../../support/check-records.ts";
import { CopyingClient } from "../../support/copying-client.ts";
import { generateEvents, requestBodies } from "../../support/generated-events.ts";
import { askAs } from "../../support/guest-role.ts";
import { Random } from "../../support/histories.ts";
import type { SentEvent } from "../../support/oracle.ts";
import { isFullSize, randomCases, report } from "../../support/random-cases.ts";
import { request } from "../../support/request.ts";
import {
  type Keys,
  makeOrganization,
  type RunningService,
  registerCampaigns,
  sendAll,
  startService,
  stopService,
} from "../../support/service-process.ts";
import { makeDatabase, succeeds } from "../../support/world.ts";

/** Over all organizations. */
const eventCount = randomCases(1_000, 1_000_000);
const campaigns = isFullSize ? 50 : 9;
/** For each organization, to each process. */
const connections = 4;
const maxTimesSent = 46;

/**
 * One organization is the worst case: all writers wait for its lock.
 *
 * @throws AssertionError if an event is not counted, or counted twice
 * @throws Error if a request fails, for example after a deadlock
 */
async function sendToBoth(databaseUrl: string, organizations: number): Promise<void> {
  const all: { keys: Keys; events: SentEvent[] }[] = [];
  for (let number = 1; number <= organizations; number++) {
    const events = [...generateEvents(Math.ceil(eventCount / organizations), campaigns, `o${number}`)];
    all.push({ keys: await makeOrganization(databaseUrl), events });
  }
  const services = [await startService(databaseUrl), await startService(databaseUrl)] as const;
  try {
    for (const { keys } of all) await registerCampaigns(services[0].url, keys.ingest, campaigns);
    const started = performance.now();
    const replies = { accepted: 0, repeated: 0, quarantined: 0 };
    let requested = 0;
    const sendings = services.flatMap((service, index) =>
      all.map(async ({ keys, events }) => {
        const order =
          index === 0 ? repeatedOrder(events.length) : new Random(index).shuffle([...events.keys()]);
        requested += order.length;
        const bodies = requestBodies(order.map((position) => events[position]));
        const sum = await sendAll(service.url, keys.ingest, bodies, connections);
        for (const name of ["accepted", "repeated", "quarantined"] as const) replies[name] += sum[name];
      }),
    );
    let isOver = false;
    const clients = all.map(({ keys }) => copyFrom(services, keys, 2));
    const reading = clients.map(async (client) => {
      while (!isOver) await client.readPage();
    });
    await Promise.all(sendings).finally(() => {
      isOver = true;
    });
    await Promise.all(reading);
    for (const [index, { keys }] of all.entries())
      await clients[index]?.checkWith(copyFrom(services, keys, 100));
    const seconds = (performance.now() - started) / 1000;
    const sent = all.reduce((sum, { events }) => sum + events.length, 0);
    report(
      `${sent} events of ${organizations} organizations, sent to both processes in ${seconds.toFixed(1)} s: ${JSON.stringify(replies)}`,
    );
    assert.deepEqual(replies, { accepted: sent, repeated: requested - sent, quarantined: 0 });
    for (const counts of ["people", "all"] as const) {
      let fields = 0;
      for (const { keys, events } of all) {
        const of = ["--organization", `${keys.organizationId}`];
        await succeeds(databaseUrl, ["organization", "change", ...of, "--count", counts]);
        for (const { url } of services)
          fields += await checkRecords(url, keys.read, { campaigns, events, counts });
      }
      report(`counting ${counts}: ${fields} fields of records equal those of the oracle`);
    }
  } finally {
    for (const service of services) await stopService(service);
  }
  // These depend on the load of the computer. Refused events were sent again.
  const ofLoad = /^.*"msg":"request refused for now"\}\n/gm;
  for (const { stderr } of services) assert.equal(stderr().replace(ofLoad, ""), "");
  if (isFullSize && !sqlitePath(databaseUrl)) {
    const ofDatabase = "select deadlocks from pg_stat_database where datname = current_database()";
    report(`deadlocks in PostgreSQL: ${JSON.stringify(await askAs(databaseUrl, ofDatabase))}`);
  }
  report((await succeeds(databaseUrl, ["recount"])).stderr.trim());
}

/** A client of both processes, which asks again while one is too busy. */
function copyFrom(services: readonly RunningService[], { read }: Keys, perPage: number): CopyingClient {
  const random = new Random(perPage);
  const ask = async (query: string) => {
    for (;;) {
      const { url } = random.pick(services);
      const { status, text } = await request(`${url}/data_api/v1/emails/changes${query}`, read);
      if (status === 200) return JSON.parse(text);
      assert.equal(status, 503, text);
    }
  };
  return new CopyingClient(ask, { perPage, maxCampaigns: campaigns });
}

/** Indexes of events in the order of sending: most once or twice, some up to 46 times. */
function repeatedOrder(events: number): number[] {
  const random = new Random(events);
  const times = () =>
    random.chance(70) ? 1 : random.chance(80) ? random.between(2, 5) : random.between(6, maxTimesSent);
  const indexes = Array.from({ length: events }, (_, index) => Array<number>(times()).fill(index));
  return random.shuffle(indexes.flat());
}

for (const organizations of isFullSize ? [1, 8] : [1]) {
  test(`two processes that receive the events of ${organizations} organizations count each once`, async (t) =>
    sendToBoth(await makeDatabase(t), organizations));
}
