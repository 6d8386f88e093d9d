// Kills the service repeatedly while organizations send events and read. Every acknowledged event is counted once.

import assert from "node:assert/strict";
import test from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { sqlitePath } from "../../../src/storage/open-database.ts";
import { Random } from "../../support/histories.ts";
import { randomCases, report } from "../../support/random-cases.ts";
import { startService, stopService } from "../../support/service-process.ts";
import { makeDatabase, succeeds } from "../../support/world.ts";
import { SteadyLoad } from "./steady-load.ts";

const kills = randomCases(2, 200);

test("counts every acknowledged event once when the service is killed", async (t) => {
  const databaseUrl = await makeDatabase(t);
  const random = new Random(kills);
  const load = await SteadyLoad.prepare(databaseUrl);
  let service = await startService(databaseUrl);
  try {
    await load.registerCampaigns(service.url);
    load.begin(() => service.url);
    for (let kill = 1; kill <= kills; kill++) {
      await load.untilAcknowledged();
      await pause(random.between(0, 400));
      await stopService(service, "SIGKILL");
      checkIntegrity(databaseUrl);
      service = await startService(databaseUrl);
      if (kill % 20 === 0) report(`after ${kill} kills: ${JSON.stringify(load.sums)}`);
    }
    await load.untilAcknowledged();
    await load.end();
    assert.ok(load.takeStats().disconnected > 0);
    await load.check();
  } finally {
    load.giveUp(undefined);
    await stopService(service);
  }
  const recounted = await succeeds(databaseUrl, ["recount"]);
  report(`${kills} kills: every acknowledged event is counted once; ${recounted.stderr.trim()}`);
});

/** Only SQLite: the PostgreSQL server is not killed, and has no such check. */
function checkIntegrity(databaseUrl: string): void {
  const path = sqlitePath(databaseUrl);
  if (!path) return;
  const sqlite = new Sqlite(path);
  assert.deepEqual(sqlite.pragma("integrity_check"), [{ integrity_check: "ok" }]);
  assert.deepEqual(sqlite.pragma("foreign_key_check"), []);
  sqlite.close();
}
