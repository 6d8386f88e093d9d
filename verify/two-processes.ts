// Two processes that serve one PostgreSQL database: the same events are sent to both at the same time, in different
// orders, and each is counted once.

import assert from "node:assert/strict";
import pg from "pg";
import { Random } from "../test/support/histories.ts";
import type { SentEvent } from "../test/support/oracle.ts";
import { run } from "../test/support/world.ts";
import { checkRecords } from "./check-records.ts";
import { bodiesOf, madeUpEvents } from "./made-up-events.ts";
import {
  type Keys,
  makeOrganization,
  pourIn,
  registerCampaigns,
  startService,
  stopService,
} from "./service.ts";

export interface TwoProcessesOptions {
  /** Of a new database, on PostgreSQL. */
  databaseUrl: string;
  /** Of all organizations together. */
  events: number;
  /** One is the worst: everybody waits for everybody. */
  organizations: number;
  say: (line: string) => void;
}

const campaigns = 9;
/** To each process, for each organization. */
const connections = 4;

/**
 * @throws AssertionError when an event is not counted, or counted twice
 * @throws Error when a client is refused, as by a deadlock
 */
export async function verifyTwoProcesses(options: TwoProcessesOptions): Promise<void> {
  const { databaseUrl, organizations, say } = options;
  const all: { keys: Keys; events: SentEvent[] }[] = [];
  for (let number = 1; number <= organizations; number++) {
    const events = [...madeUpEvents(Math.ceil(options.events / organizations), campaigns, `o${number}`)];
    all.push({ keys: await makeOrganization(databaseUrl), events });
  }
  const services = [
    await startService(databaseUrl),
    await startService(databaseUrl, { argv: ["--only", "ingest"] }),
  ] as const;
  const [{ url }] = services;
  try {
    for (const { keys } of all) await registerCampaigns(url, keys.ingest, campaigns);
    const started = performance.now();
    const answered = { accepted: 0, repeated: 0, quarantined: 0 };
    const sendings = services.flatMap((service, order) =>
      all.map(async ({ keys, events }) => {
        const shuffled = new Random(order).shuffle(events);
        const bodies = bodiesOf(shuffled.length, (place) => shuffled[place]);
        const sum = await pourIn(service.url, keys.ingest, bodies, connections);
        answered.accepted += sum.accepted;
        answered.repeated += sum.repeated;
        answered.quarantined += sum.quarantined;
      }),
    );
    await Promise.all(sendings);
    const seconds = (performance.now() - started) / 1000;
    const sent = all.reduce((sum, { events }) => sum + events.length, 0);
    say(
      `${sent} events of ${organizations} organizations, sent to both of two processes in ${seconds.toFixed(1)} s: ${JSON.stringify(answered)}`,
    );
    assert.deepEqual(answered, { accepted: sent, repeated: sent, quarantined: 0 });
    let fields = 0;
    for (const { keys, events } of all) {
      fields += await checkRecords(url, keys.read, { campaigns, events });
    }
    say(`${fields} fields of ${organizations * campaigns} records equal the oracle's`);
  } finally {
    for (const service of services) await stopService(service);
  }
  // How busy the machine was is no fault of the service.
  const delays = /^.*"the event loop was held up"\}\n/gm;
  for (const { stderr } of services) assert.equal(stderr().replace(delays, ""), "");
  say(`deadlocks that the server saw: ${await countDeadlocks(databaseUrl)}`);
  const recounted = await run(databaseUrl, ["recount"]);
  assert.equal(recounted.exitCode, 0, recounted.stderr);
  say(recounted.stderr.trim());
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
