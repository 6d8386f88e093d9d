// Backs up a service while events arrive, kills some of the backups, and restores the others: each has every event that was
// acknowledged before it began, once.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import test, { type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { checkRecords } from "../../support/check-records.ts";
import { damageOf } from "../../support/doctor.ts";
import { requestBodies } from "../../support/generated-events.ts";
import { generateRecords } from "../../support/generated-record.ts";
import { Random } from "../../support/histories.ts";
import { programPath } from "../../support/program.ts";
import { isFullSize, randomCases, report } from "../../support/random-cases.ts";
import {
  makeOrganization,
  registerCampaigns,
  sendAll,
  startService,
  stopService,
} from "../../support/service-process.ts";
import { makeDatabase, makeFolder, succeeds } from "../../support/world.ts";
import { writeLines } from "../../support/write-lines.ts";
import { campaigns, SteadyEvents } from "./steady-events.ts";

/** Events before the first backup and then per second, and records of another organization. */
const load = {
  before: randomCases(500, 500_000),
  perSecond: isFullSize ? 5_000 : 100,
  records: randomCases(40, 100_000),
};
const smallLoad = { before: randomCases(500, 20_000), perSecond: 100, records: 40 };
const backups = randomCases(1, 5);
const kills = randomCases(1, 100);

async function serveWithEvents(t: TestContext, { before, perSecond, records }: typeof load) {
  const databaseUrl = await makeDatabase(t);
  const keys = await makeOrganization(databaseUrl);
  await importRecords(t, databaseUrl, records);
  const service = await startService(databaseUrl);
  await registerCampaigns(service.url, keys.ingest, campaigns);
  const events = new SteadyEvents(service.url, keys.ingest);
  await events.send(before);
  events.begin(perSecond);
  t.after(() => events.end().finally(() => stopService(service)));
  return { databaseUrl, keys, events, file: join(makeFolder(t), "backup.db") };
}

async function importRecords(t: TestContext, databaseUrl: string, records: number): Promise<void> {
  await makeOrganization(databaseUrl, "Other");
  const file = join(makeFolder(t), "records.ndjson");
  await writeLines(file, generateRecords(records));
  await succeeds(databaseUrl, ["import", "--organization", "2", file]);
}

/** Runs `backup` as a process. @returns its exit code; null if it was killed */
async function backUp(databaseUrl: string, argv: readonly string[], killAfterMs?: number) {
  const child = spawn(process.execPath, [programPath, "backup", ...argv], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (text) => {
    stderr += text;
  });
  const ended = once(child, "close");
  if (killAfterMs !== undefined) {
    await Promise.race([ended, pause(killAfterMs)]);
    child.kill("SIGKILL");
  }
  await ended;
  return { exitCode: child.exitCode, stderr };
}

/** Restores a backup into a new database. @returns its URL */
async function restore(t: TestContext, file: string): Promise<string> {
  const restored = await makeDatabase(t, { isEmpty: true });
  await succeeds(restored, ["restore", file], { now: Date.now });
  assert.deepEqual(await damageOf(restored), []);
  return restored;
}

test("a backup has every event that was acknowledged before it began, once, while events arrive", async (t) => {
  const { databaseUrl, keys, events, file } = await serveWithEvents(t, load);
  for (let backup = 0; backup < backups; backup++) {
    const [before, startedAt] = [events.acknowledged.length, performance.now()];
    events.takeLongestMs();
    const { exitCode, stderr } = await backUp(databaseUrl, [file, "--replace"]);
    const seconds = (performance.now() - startedAt) / 1_000;
    assert.equal(exitCode, 0, stderr);
    const [during, longestMs] = [events.acknowledged.length - before, events.takeLongestMs()];
    const url = await restore(t, file);
    const service = await startService(url);
    try {
      const send = (some: readonly unknown[]) =>
        sendAll(
          service.url,
          keys.ingest,
          requestBodies(some.length, (position) => some[position] as never),
          4,
        );
      const sent = [...events.acknowledged];
      assert.deepEqual(await send(sent.slice(0, before)), {
        accepted: 0,
        repeated: before,
        quarantined: 0,
      });
      const { accepted, repeated } = await send(sent.slice(before));
      assert.equal(accepted + repeated, sent.length - before);
      const fields = await checkRecords(service.url, keys.read, { campaigns, events: sent });
      report(
        `backup of ${(statSync(file).size / 1e6).toFixed(0)} MB in ${seconds.toFixed(1)} s, during which ${during} events were acknowledged (longest request ${longestMs.toFixed(0)} ms); all ${before} events from before it are in it, and ${repeated} of the others; ${fields} fields equal those of the oracle`,
      );
    } finally {
      await stopService(service);
    }
  }
});

test("a backup that is killed leaves a whole file or none", async (t) => {
  const { databaseUrl, events, file } = await serveWithEvents(t, smallLoad);
  const startedAt = performance.now();
  assert.equal((await backUp(databaseUrl, [file])).exitCode, 0);
  const wholeMs = performance.now() - startedAt;
  const random = new Random(kills);
  const killAfter = () => random.between(Math.floor(wholeMs / 4), Math.ceil(wholeMs * 1.1));
  const outcomes = { whole: 0, none: 0, parts: 0 };
  for (let kill = 0; kill < kills; kill++) {
    const other = join(dirname(file), `killed-${kill}.db`);
    await backUp(databaseUrl, [other], killAfter());
    if (existsSync(other)) await restore(t, other);
    outcomes[existsSync(other) ? "whole" : "none"] += 1;
    if (readdirSync(dirname(file)).some((name) => name.startsWith(`killed-${kill}.db.part`))) {
      outcomes.parts += 1;
      // The next backup deletes the part.
      assert.equal((await backUp(databaseUrl, [other])).exitCode, 0);
      assert.ok(!readdirSync(dirname(file)).some((name) => name.startsWith(`killed-${kill}.db.`)));
    }
    await backUp(databaseUrl, [file, "--replace"], killAfter());
    await restore(t, file);
  }
  await events.end();
  report(`${kills} kills of a backup of ${wholeMs.toFixed(0)} ms: ${JSON.stringify(outcomes)}`);
});
