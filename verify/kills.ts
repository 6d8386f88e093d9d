// A service that is killed again and again while events come in: what was acknowledged is counted once, for ever.

import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { sqlitePath } from "../src/storage/open-database.ts";
import { Random } from "../test/support/histories.ts";
import { run } from "../test/support/world.ts";
import { Unanswered } from "./ask.ts";
import { checkRecords } from "./check-records.ts";
import { madeUpEvents } from "./made-up-events.ts";
import { makeOrganization, registerCampaigns, sendEvents, startService, stopService } from "./service.ts";

export interface KillsOptions {
  /** Of a new database. */
  databaseUrl: string;
  kills: number;
  say: (line: string) => void;
}

const campaigns = 6;
const connections = 4;
const batch = 100;
/** For each kill, so that there is always something left to send. */
const eventsPerKill = 4_000;

/**
 * Clients keep what was acknowledged and never send it again; what was not is sent again after the kill. Overlapping
 * batches make sure that the same events are also on their way twice.
 *
 * @throws AssertionError when an acknowledged event is missing, or any was counted twice
 */
export async function verifyKills({ databaseUrl, kills, say }: KillsOptions): Promise<void> {
  const keys = await makeOrganization(databaseUrl);
  const random = new Random(kills);
  const events = [...madeUpEvents(kills * eventsPerKill, campaigns)];
  /** Places of events that no answer has acknowledged yet, in order. */
  let left = events.map((_, place) => place);
  const acknowledged = new Set<number>();
  let cutRequests = 0;
  const total = { accepted: 0, repeated: 0 };
  let isRegistered = false;
  for (let kill = 0; left.length > 0; kill++) {
    const service = await startService(databaseUrl);
    if (!isRegistered) await registerCampaigns(service.url, keys.ingest, campaigns);
    isRegistered = true;
    let next = 0;
    const before = acknowledged.size;
    const connection = async () => {
      for (; next < left.length; ) {
        const start = next;
        next += batch / 2;
        const places = left.slice(start, start + batch);
        try {
          const some = places.map((place) => events[place]);
          const { accepted, repeated } = await sendEvents(service.url, keys.ingest, some);
          total.accepted += accepted;
          total.repeated += repeated;
          for (const place of places) acknowledged.add(place);
        } catch (error) {
          if (error instanceof Unanswered) throw error;
          cutRequests += 1;
          return;
        }
      }
    };
    const sending = Promise.all(Array.from({ length: connections }, connection));
    if (kill < kills) {
      // In the middle of ingest: once something was acknowledged, and at any time from then on.
      while (acknowledged.size === before && next < left.length) await pause(1);
      await pause(random.between(0, 400));
      await stopService(service, "SIGKILL");
      await sending;
    } else {
      await sending;
      await stopService(service);
    }
    left = left.filter((place) => !acknowledged.has(place));
    checkIntegrity(databaseUrl);
    if (kill % 20 === 0)
      say(`after ${kill + 1} starts: ${acknowledged.size} of ${events.length} acknowledged`);
  }
  say(
    `${cutRequests} requests were cut; acknowledged as new ${total.accepted}, as repeated ${total.repeated}`,
  );
  const service = await startService(databaseUrl);
  try {
    await checkRecords(service.url, keys.read, { campaigns, events });
  } finally {
    await stopService(service);
  }
  const recounted = await run(databaseUrl, ["recount"]);
  assert.equal(recounted.exitCode, 0, recounted.stderr);
  say(`${kills} kills: every acknowledged event is counted once; ${recounted.stderr.trim()}`);
}

/** PostgreSQL has no such check, but a server that goes on: it was not killed. */
function checkIntegrity(databaseUrl: string): void {
  const path = sqlitePath(databaseUrl);
  if (!path) return;
  const sqlite = new Sqlite(path);
  assert.deepEqual(sqlite.pragma("integrity_check"), [{ integrity_check: "ok" }]);
  assert.deepEqual(sqlite.pragma("foreign_key_check"), []);
  sqlite.close();
}
