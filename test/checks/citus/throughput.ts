// Measures how fast a Citus cluster takes events, compared with one PostgreSQL server of the same version.

import { generateEvents, requestBodies } from "../../support/generated-events.ts";
import { report } from "../../support/random-cases.ts";
import {
  makeOrganization,
  registerCampaigns,
  sendAll,
  startService,
  stopService,
} from "../../support/service-process.ts";

const organizations = 4;
const campaigns = 6;
const eventsOfEach = 20_000;
const connections = 2;
const rounds = 2;

/** The databases take turns, so that other load on the computer affects both. */
export async function compareThroughput(databases: { plain: string; citus: string }): Promise<void> {
  const rates = { plain: 0, citus: 0 };
  for (let round = 0; round < rounds; round++) {
    for (const name of ["plain", "citus"] as const) rates[name] += (await measure(databases[name])) / rounds;
  }
  const { plain, citus } = rates;
  report(
    `requests of 500 events: ${Math.round(plain)} events per second on PostgreSQL, ${Math.round(citus)} on Citus; ratio ${(citus / plain).toFixed(2)}`,
  );
}

/** @returns events per second */
async function measure(databaseUrl: string): Promise<number> {
  const service = await startService(databaseUrl);
  try {
    const all = [];
    for (let count = 0; count < organizations; count++) {
      const keys = await makeOrganization(databaseUrl);
      await registerCampaigns(service.url, keys.ingest, campaigns);
      all.push({
        key: keys.ingest,
        bodies: [...requestBodies(generateEvents(eventsOfEach, campaigns))],
      });
    }
    const started = performance.now();
    await Promise.all(all.map(({ key, bodies }) => sendAll(service.url, key, bodies, connections)));
    return (organizations * eventsOfEach) / ((performance.now() - started) / 1000);
  } finally {
    await stopService(service);
  }
}
