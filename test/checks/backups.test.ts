// Backs up a service while events arrive, kills some of the backups, and restores the others: each has every event that was
// acknowledged before it began, once.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import test, { type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { checkRecords } from "../support/check-records.ts";
import { damageOf } from "../support/doctor.ts";
import { generateEvents, requestBodies } from "../support/generated-events.ts";
import { generateRecords } from "../support/generated-record.ts";
import { Random } from "../support/histories.ts";
import type { SentEvent } from "../support/oracle.ts";
import { programPath } from "../support/program.ts";
import { randomCases, report } from "../support/random-cases.ts";
import {
  makeOrganization,
  registerCampaigns,
  sendAll,
  startService,
  stopService,
} from "../support/service-process.ts";
import { makeDatabase, makeFolder, succeeds } from "../support/world.ts";
import { writeLines } from "../support/write-lines.ts";
import { SteadyLoad } from "./kills/steady-load.ts";
import { campaigns } from "./kills/steady-sender.ts";

const backups = randomCases(1, 5);
const kills = randomCases(1, 100);

const sendEvents = (url: string, key: string, events: readonly SentEvent[]) =>
  sendAll(url, key, requestBodies(events), 4);

/** Serves organizations that send events from `begin` on, and one that has records and events already. */
async function serveWithEvents(t: TestContext, { records, events }: { records: number; events: number }) {
  const databaseUrl = await makeDatabase(t);
  const load = await SteadyLoad.prepare(databaseUrl);
  const other = await makeOrganization(databaseUrl, "Other");
  const recordsFile = join(makeFolder(t), "records.ndjson");
  await writeLines(recordsFile, generateRecords(records, campaigns + 1));
  await succeeds(databaseUrl, ["import", "--organization", `${other.organizationId}`, recordsFile]);
  const service = await startService(databaseUrl);
  await registerCampaigns(service.url, other.ingest, campaigns);
  await sendEvents(service.url, other.ingest, [...generateEvents(events, campaigns)]);
  await load.registerCampaigns(service.url);
  t.after(() => load.end().finally(() => stopService(service)));
  const begin = () => load.begin(() => service.url);
  return { databaseUrl, load, begin, file: join(makeFolder(t), "backup.db") };
}

/** Runs `backup` as a process. @returns its exit code; null if it was killed */
async function backUp(databaseUrl: string, argv: readonly string[], killAfterMs?: number) {
  const child = spawn(process.execPath, [programPath, "backup", ...argv], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const ended = once(child, "close");
  if (killAfterMs !== undefined) {
    await Promise.race([ended, pause(killAfterMs)]);
    child.kill("SIGKILL");
  }
  await ended;
  return child.exitCode;
}

/** Restores a backup into a new database. @returns its URL */
async function restore(t: TestContext, file: string): Promise<string> {
  const restored = await makeDatabase(t, { isEmpty: true });
  await succeeds(restored, ["restore", file], { now: Date.now });
  assert.deepEqual(await damageOf(restored), []);
  return restored;
}

test("a backup has every event that was acknowledged before it began, once, while events arrive", async (t) => {
  const size = { records: randomCases(40, 100_000), events: randomCases(500, 500_000) };
  const { databaseUrl, load, begin, file } = await serveWithEvents(t, size);
  for (let backup = 0; backup < backups; backup++) {
    begin();
    await load.untilAcknowledged();
    load.takeStats();
    const [before, startedAt] = [
      load.senders.map(({ acknowledged }) => acknowledged.size),
      performance.now(),
    ];
    assert.equal(await backUp(databaseUrl, [file, "--replace"]), 0);
    const seconds = (performance.now() - startedAt) / 1_000;
    const { longestMs, ok } = load.takeStats();
    // What was on its way when the backup began is acknowledged then.
    await load.untilAcknowledged();
    await load.end();
    const service = await startService(await restore(t, file));
    try {
      for (const [index, { keys, acknowledged }] of load.senders.entries()) {
        const [sent, count] = [[...acknowledged], before[index] ?? 0];
        const first = await sendEvents(service.url, keys.ingest, sent.slice(0, count));
        assert.deepEqual(first, { accepted: 0, repeated: count, quarantined: 0 });
        const { accepted, repeated } = await sendEvents(service.url, keys.ingest, sent.slice(count));
        assert.equal(accepted + repeated, sent.length - count);
        await checkRecords(service.url, keys.read, { campaigns, events: sent });
        report(`all ${count} events from before the backup are in it, and ${repeated} of the others`);
      }
      report(
        `backup of ${(statSync(file).size / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s, during which ${ok} requests were answered, the longest in ${longestMs} ms`,
      );
    } finally {
      await stopService(service);
    }
  }
});

test("a backup that is killed leaves a whole file or none", async (t) => {
  const size = { records: 40, events: randomCases(500, 20_000) };
  const { databaseUrl, load, begin, file } = await serveWithEvents(t, size);
  /** @returns how long the backup took, in milliseconds */
  const backUpUnderLoad = async (argv: readonly string[], killAfterMs?: number) => {
    begin();
    const startedAt = performance.now();
    const code = await backUp(databaseUrl, argv, killAfterMs);
    const ms = performance.now() - startedAt;
    await load.end();
    if (killAfterMs === undefined) assert.equal(code, 0);
    return ms;
  };
  const wholeMs = await backUpUnderLoad([file]);
  const random = new Random(kills);
  const killAfter = () => random.between(Math.floor(wholeMs / 4), Math.ceil(wholeMs * 1.1));
  const outcomes = { whole: 0, none: 0, parts: 0 };
  for (let kill = 0; kill < kills; kill++) {
    const other = join(dirname(file), `killed-${kill}.db`);
    await backUpUnderLoad([other], killAfter());
    if (existsSync(other)) await restore(t, other);
    outcomes[existsSync(other) ? "whole" : "none"] += 1;
    if (readdirSync(dirname(file)).some((name) => name.startsWith(`killed-${kill}.db.part`))) {
      outcomes.parts += 1;
      // The next backup deletes the part.
      assert.equal(await backUp(databaseUrl, [other]), 0);
      assert.ok(!readdirSync(dirname(file)).some((name) => name.startsWith(`killed-${kill}.db.`)));
    }
    await backUpUnderLoad([file, "--replace"], killAfter());
    await restore(t, file);
  }
  report(`${kills} kills of a backup of ${wholeMs.toFixed(0)} ms: ${JSON.stringify(outcomes)}`);
});
