// Every number of every record against a plain oracle: very many events, each sent once or many times, in any order,
// over several connections at once.

import assert from "node:assert/strict";
import { Random } from "../test/support/histories.ts";
import { run } from "../test/support/world.ts";
import { checkRecords } from "./check-records.ts";
import { bodiesOf, madeUpEvents } from "./made-up-events.ts";
import { makeOrganization, pourIn, registerCampaigns, startService, stopService } from "./service.ts";

export interface ExactnessOptions {
  /** Of a new database. */
  databaseUrl: string;
  events: number;
  campaigns: number;
  connections: number;
  say: (line: string) => void;
}

const timesSentMax = 46;

/** @throws AssertionError naming the campaign whose record differs */
export async function verifyExactness(options: ExactnessOptions): Promise<void> {
  const { databaseUrl, campaigns, connections, say } = options;
  const keys = await makeOrganization(databaseUrl);
  const service = await startService(databaseUrl);
  try {
    await registerCampaigns(service.url, keys.ingest, campaigns);
    const events = [...madeUpEvents(options.events, campaigns)];
    const sendings = madeUpSendings(events.length);
    const started = performance.now();
    const bodies = bodiesOf(sendings.length, (place) => events[sendings[place] ?? 0]);
    const answered = await pourIn(service.url, keys.ingest, bodies, connections);
    const seconds = (performance.now() - started) / 1000;
    say(
      `${events.length} events, sent ${sendings.length} times over ${connections} connections in ${seconds.toFixed(1)} s: ${JSON.stringify(answered)}`,
    );
    assert.deepEqual(answered, {
      accepted: events.length,
      repeated: sendings.length - events.length,
      quarantined: 0,
    });
    for (const counts of ["people", "all"] as const) {
      await run(databaseUrl, ["organization", "change", "--organization", "1", "--count", counts]);
      const fields = await checkRecords(service.url, keys.read, { campaigns, events, counts });
      say(`counting ${counts}: ${fields} fields of ${campaigns} records equal the oracle's`);
    }
    const recounted = await run(databaseUrl, ["recount"]);
    assert.equal(recounted.exitCode, 0, recounted.stderr);
    say(recounted.stderr.trim());
  } finally {
    await stopService(service);
  }
}

/** The places of events in the order of their sending: most once or twice, some up to 46 times. */
function madeUpSendings(events: number): Uint32Array {
  const random = new Random(events);
  const places: number[] = [];
  for (let place = 0; place < events; place++) {
    const times = random.chance(70)
      ? 1
      : random.chance(80)
        ? random.between(2, 5)
        : random.between(6, timesSentMax);
    for (let time = 0; time < times; time++) places.push(place);
  }
  const sendings = Uint32Array.from(places);
  for (let last = sendings.length - 1; last > 0; last--) {
    const other = random.between(0, last);
    const swapped = sendings[last] ?? 0;
    sendings[last] = sendings[other] ?? 0;
    sendings[other] = swapped;
  }
  return sendings;
}
