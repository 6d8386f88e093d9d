// Kills the service repeatedly while events arrive. Every acknowledged event is counted once.

import assert from "node:assert/strict";
import test from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { sqlitePath } from "../../../src/storage/open-database.ts";
import { checkRecords } from "../../support/check-records.ts";
import { generateEvents } from "../../support/generated-events.ts";
import { Random } from "../../support/histories.ts";
import type { SentEvent } from "../../support/oracle.ts";
import { randomCases, report } from "../../support/random-cases.ts";
import { RequestTimeout } from "../../support/request.ts";
import {
  makeOrganization,
  type RunningService,
  registerCampaigns,
  sendEvents,
  startService,
  stopService,
} from "../../support/service-process.ts";
import { makeDatabase, succeeds } from "../../support/world.ts";

const kills = randomCases(1, 200);
const campaigns = 6;
const connections = 4;
const batch = 100;
/** So many that there are always events left to send. */
const eventsPerKill = 2_500;

/** The events and what the service has acknowledged so far. */
interface Progress {
  events: readonly SentEvent[];
  acknowledged: Set<SentEvent>;
  /** Events that are not acknowledged, in order. */
  left: SentEvent[];
  /** Requests that lost their connection. */
  disconnected: number;
  accepted: number;
  repeated: number;
}

// Clients never send an acknowledged event again, and send all others again after the kill. Batches overlap, so that some
// events are sent twice at the same time.
test("counts every acknowledged event once when the service is killed", async (t) => {
  const databaseUrl = await makeDatabase(t);
  const keys = await makeOrganization(databaseUrl);
  const random = new Random(kills);
  const events = [...generateEvents(kills * eventsPerKill, campaigns)];
  const progress: Progress = {
    events,
    acknowledged: new Set(),
    left: events,
    disconnected: 0,
    accepted: 0,
    repeated: 0,
  };
  for (let start = 0; progress.left.length > 0; start++) {
    const service = await startService(databaseUrl);
    if (start === 0) await registerCampaigns(service.url, keys.ingest, campaigns);
    const killAfterMs = start < kills ? random.between(0, 400) : undefined;
    await sendUntilKilled(service, keys.ingest, progress, killAfterMs);
    progress.left = progress.left.filter((event) => !progress.acknowledged.has(event));
    checkIntegrity(databaseUrl);
    if (start % 20 === 0) {
      report(`after ${start + 1} starts: ${progress.acknowledged.size} of ${events.length} acknowledged`);
    }
  }
  const { disconnected, accepted, repeated } = progress;
  report(`${disconnected} requests lost their connection; ${accepted} events accepted, ${repeated} repeated`);
  const service = await startService(databaseUrl);
  try {
    await checkRecords(service.url, keys.read, { campaigns, events });
  } finally {
    await stopService(service);
  }
  const recounted = await succeeds(databaseUrl, ["recount"]);
  report(`${kills} kills: every acknowledged event is counted once; ${recounted.stderr.trim()}`);
});

/** @param killAfterMs kills the service this long after the first acknowledgment; undefined sends all events */
async function sendUntilKilled(
  service: RunningService,
  key: string,
  progress: Progress,
  killAfterMs: number | undefined,
): Promise<void> {
  const { left, acknowledged } = progress;
  const before = acknowledged.size;
  let next = 0;
  const connection = async () => {
    while (next < left.length) {
      const some = left.slice(next, next + batch);
      next += batch / 2;
      try {
        const { accepted, repeated } = await sendEvents(service.url, key, some);
        progress.accepted += accepted;
        progress.repeated += repeated;
        for (const event of some) acknowledged.add(event);
      } catch (error) {
        if (error instanceof RequestTimeout) throw error;
        progress.disconnected += 1;
        return;
      }
    }
  };
  const sending = Promise.all(Array.from({ length: connections }, connection));
  if (killAfterMs === undefined) {
    await sending;
    await stopService(service);
    return;
  }
  while (acknowledged.size === before && next < left.length) await pause(1);
  await pause(killAfterMs);
  await stopService(service, "SIGKILL");
  await sending;
}

/** Only SQLite: the PostgreSQL server is not killed, and has no such check. */
function checkIntegrity(databaseUrl: string): void {
  const path = sqlitePath(databaseUrl);
  if (!path) return;
  const sqlite = new Sqlite(path);
  assert.deepEqual(sqlite.pragma("integrity_check"), [{ integrity_check: "ok" }]);
  assert.deepEqual(sqlite.pragma("foreign_key_check"), []);
  sqlite.close();
}
