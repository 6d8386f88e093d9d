// Two server processes on one database receive the same events at the same time, in different orders, while commands
// change other data. Each event is counted once.

import assert from "node:assert/strict";
import test from "node:test";
import pg from "pg";
import { sqlitePath } from "../../../src/storage/open-database.ts";
import { checkRecords } from "../../support/check-records.ts";
import { generateEvents, requestBodies } from "../../support/generated-events.ts";
import { Random } from "../../support/histories.ts";
import type { SentEvent } from "../../support/oracle.ts";
import { isFullSize, randomCases, report } from "../../support/random-cases.ts";
import {
  type Keys,
  makeOrganization,
  registerCampaigns,
  sendAll,
  startService,
  stopService,
} from "../../support/service-process.ts";
import { makeDatabase, run } from "../../support/world.ts";
import { exchangeUntil } from "./exchange.ts";

/** Over all organizations. */
const eventCount = randomCases(800, 1_000_000);
const campaigns = 9;
/** For each organization, to each process. */
const connections = 4;

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
  const [{ url }] = services;
  try {
    for (const { keys } of all) await registerCampaigns(url, keys.ingest, campaigns);
    const started = performance.now();
    const replies = { accepted: 0, repeated: 0, quarantined: 0 };
    const sendings = services.flatMap((service, order) =>
      all.map(async ({ keys, events }) => {
        const shuffled = new Random(order).shuffle(events);
        const bodies = requestBodies(shuffled.length, (position) => shuffled[position]);
        const sum = await sendAll(service.url, keys.ingest, bodies, connections);
        replies.accepted += sum.accepted;
        replies.repeated += sum.repeated;
        replies.quarantined += sum.quarantined;
      }),
    );
    let isOver = false;
    const sending = Promise.all(sendings).finally(() => {
      isOver = true;
    });
    const [rounds] = await Promise.all([exchangeUntil(databaseUrl, services, () => isOver), sending]);
    const seconds = (performance.now() - started) / 1000;
    const sent = all.reduce((sum, { events }) => sum + events.length, 0);
    report(
      `${sent} events of ${organizations} organizations, sent to both processes in ${seconds.toFixed(1)} s: ${JSON.stringify(replies)}`,
    );
    report(`${rounds} rounds of commands and changes, each shown at once by both processes`);
    assert.deepEqual(replies, { accepted: sent, repeated: sent, quarantined: 0 });
    let fields = 0;
    for (const { keys, events } of all) {
      for (const service of services) {
        fields += await checkRecords(service.url, keys.read, { campaigns, events });
      }
    }
    report(`${fields} fields of ${2 * organizations * campaigns} records equal those of the oracle`);
  } finally {
    for (const service of services) await stopService(service);
  }
  // These depend on the load of the computer. Refused events were sent again.
  const ofLoad = /^.*"msg":"request refused for now"\}\n/gm;
  for (const { stderr } of services) assert.equal(stderr().replace(ofLoad, ""), "");
  if (!sqlitePath(databaseUrl)) report(`deadlocks in PostgreSQL: ${await countDeadlocks(databaseUrl)}`);
  const recounted = await run(databaseUrl, ["recount"]);
  assert.equal(recounted.exitCode, 0, recounted.stderr);
  report(recounted.stderr.trim());
}

async function countDeadlocks(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ deadlocks: string }>(
    "select deadlocks from pg_stat_database where datname = current_database()",
  );
  await client.end();
  return Number(rows[0]?.deadlocks);
}

for (const organizations of isFullSize ? [1, 8] : [1]) {
  test(`two processes that receive the events of ${organizations} organizations count each once`, async (t) =>
    sendToBoth(await makeDatabase(t), organizations));
}
