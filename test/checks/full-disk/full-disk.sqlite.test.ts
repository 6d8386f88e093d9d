// Fills the disk under a running service. It reads on, refuses writes with 503, keeps what it acknowledged, and recovers
// without a restart. Started on a full disk, it says so. Commands fail with a clear error and leave nothing half-written.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { checkRecords } from "../../support/check-records.ts";
import { damageOf } from "../../support/doctor.ts";
import { generateEvents } from "../../support/generated-events.ts";
import { generateRecords } from "../../support/generated-record.ts";
import type { SentEvent } from "../../support/oracle.ts";
import { programPath } from "../../support/program.ts";
import { isFullSize, randomCases, report } from "../../support/random-cases.ts";
import { request } from "../../support/request.ts";
import {
  type Keys,
  makeOrganization,
  type RunningService,
  registerCampaigns,
  startService,
  stopService,
} from "../../support/service-process.ts";
import { makeFolder, succeeds } from "../../support/world.ts";
import { writeLines } from "../../support/write-lines.ts";
import { type FullDisk, limitFiles, withMountedDisk } from "./full-disks.ts";

/** In each round the disk is full and gets space again. */
const rounds = randomCases(1, 6);
/** Sent at a time, before and while the disk is full. */
const eventsPerBurst = randomCases(500, 10_000);
/** So many that an import needs more space than is left. */
const importedRecords = randomCases(20, 6_000);

interface Place {
  /** On the disk. */
  folder: string;
  /** For input files, not on the disk. */
  filesFolder: string;
  disk: FullDisk;
}

interface Check extends Place {
  keys: Keys;
  databaseUrl: string;
  service: RunningService;
  counts: { acknowledged: number; refused: number; commands: number };
}

const campaigns = 6;
const batch = 250;
/** More than are ever sent. */
const maxEvents = 10_000_000;
/** So that writes fail at once, or in the middle of the work. */
const bytesLeft = [0, 64 * 1024, 4_096, 512 * 1024, 16 * 1024, 2 * 1024 * 1024];
const unwritable =
  /^error: .*\(SQLITE_((FULL|IOERR\w*|READONLY\w*)\).* the disk is full or read-only|CANTOPEN\))/;

const databaseFile = (folder: string) => join(folder, "verify.db");

/** @throws AssertionError if an event is lost or doubled, or a response or exit code is not the expected one */
async function fillRepeatedly(place: Place): Promise<void> {
  const databaseUrl = `sqlite:${databaseFile(place.folder)}`;
  const keys = await makeOrganization(databaseUrl);
  const service = await startService(databaseUrl);
  const counts = { acknowledged: 0, refused: 0, commands: 0 };
  const check: Check = { ...place, keys, databaseUrl, service, counts };
  const events = generateEvents(maxEvents, campaigns);
  const sent: SentEvent[] = [];
  const nextBurst = () => {
    const burst = Array.from({ length: eventsPerBurst }, () => events.next().value as SentEvent);
    sent.push(...burst);
    return burst;
  };
  try {
    await registerCampaigns(service.url, keys.ingest, campaigns);
    for (let round = 0; round < rounds; round++) {
      assert.deepEqual(await sendAll(check, nextBurst()), []);
      const left = bytesLeft[round % bytesLeft.length] as number;
      await fillAndFree(check, left, sent, nextBurst);
      await checkRecords(service.url, keys.read, { campaigns, events: sent });
    }
    await repeatCommands(check, sent);
    assert.equal(service.child.exitCode, null, service.stderr());
  } finally {
    await stopService(service);
  }
  report(
    `the disk was full ${rounds} times: ${JSON.stringify(counts)}; every acknowledged event is counted once`,
  );
}

async function fillAndFree(
  check: Check,
  left: number,
  sent: readonly SentEvent[],
  nextBurst: () => SentEvent[],
): Promise<void> {
  const pid = check.service.child.pid as number;
  check.disk.fill(pid, left);
  const refused: SentEvent[] = [];
  // SQLite goes on writing to the space that its log already has.
  while (refused.length < eventsPerBurst) refused.push(...(await sendAll(check, nextBurst())));
  // The log may have space for a small write, but not for a batch. A limit on files leaves the disk free.
  if (isFullSize) {
    const { text } = await request(`${check.service.url}/readyz`, check.keys.read);
    assert.match(text, /^{"status":"warn","warnings":\["The /);
  }
  const waiting = new Set(refused);
  const counted = sent.filter((event) => !waiting.has(event));
  await failCommands(check, counted, refused);
  check.disk.free(pid);
  assert.deepEqual(await sendAll(check, refused), []);
}

/** @returns the events that were refused with 503 */
async function sendAll({ service, keys, counts }: Check, events: readonly SentEvent[]): Promise<SentEvent[]> {
  const refused: SentEvent[] = [];
  for (let start = 0; start < events.length; start += batch) {
    const some = events.slice(start, start + batch);
    const body = JSON.stringify({ events: some });
    const { status, text } = await request(`${service.url}/ingest/v1/events`, keys.ingest, body);
    assert.ok(status === 200 || status === 503, `${status} ${text}`);
    if (status === 200) counts.acknowledged += some.length;
    else refused.push(...some);
  }
  counts.refused += refused.length;
  return refused;
}

/** Commands that write fail and change nothing. Those that read work. */
async function failCommands(
  check: Check,
  counted: readonly SentEvent[],
  refused: readonly SentEvent[],
): Promise<void> {
  const { folder, databaseUrl, service, keys } = check;
  const isUnchanged = () => checkRecords(service.url, keys.read, { campaigns, events: counted });
  await isUnchanged();
  for (const argv of await importsOf(check, refused)) {
    assertFails(check, argv, unwritable);
    await isUnchanged();
  }
  const backup = join(folder, "backup.db");
  assertFails(
    check,
    ["backup", backup],
    /^error: .*(SQLITE_(FULL|IOERR\w*)\); the disk is full|ENOSPC|EFBIG)/,
  );
  assert.equal(existsSync(backup), false);
  const copied = `sqlite:${join(folder, "copy.db")}`;
  assertFails(check, ["copy", "--from", databaseUrl, "--to", copied], unwritable);
  assertFails(check, ["doctor", "--vacuum"], /^✗ vacuum .* (the disk is full|cannot be written).*$/m);
  const file = join(folder, "export.ndjson");
  const output = openSync(file, "w");
  // The log may have space for the entry in the audit log.
  const neither = /^(warning: the audit log does not have .*\n)?error: standard output: (ENOSPC|EFBIG)/;
  assertFails(check, ["export", "--organization", "1"], neither, output);
  closeSync(output);
  rmSync(file);
  await worksNow(databaseUrl, ["export", "--organization", "1"]);
  assert.deepEqual(await damageOf(databaseUrl), []);
  await isUnchanged();
}

/** After there is space again, the same commands work. */
async function repeatCommands(check: Check, events: readonly SentEvent[]): Promise<void> {
  const { folder, databaseUrl } = check;
  const copy = ["copy", "--from", databaseUrl, "--to", `sqlite:${join(folder, "copy.db")}`];
  const backup = ["backup", join(folder, "backup.db")];
  for (const argv of [...(await importsOf(check, events)), copy, backup, ["doctor", "--vacuum"]]) {
    await worksNow(databaseUrl, argv);
  }
  assert.deepEqual(await damageOf(databaseUrl), []);
}

/** An import of many records, and one of events. */
async function importsOf({ filesFolder }: Check, events: readonly SentEvent[]): Promise<string[][]> {
  const [recordsFile, eventsFile] = [join(filesFolder, "records.ndjson"), join(filesFolder, "events.ndjson")];
  await writeLines(recordsFile, generateRecords(importedRecords, 101));
  await writeLines(eventsFile, events);
  return [
    ["import", "--organization", "1", recordsFile],
    ["import", "--organization", "1", "--events", eventsFile],
  ];
}

/** Runs a command as a process that cannot write to the disk. */
function assertFails(
  { disk, databaseUrl, counts }: Check,
  argv: readonly string[],
  problem: RegExp,
  output: number | "pipe" = "pipe",
): void {
  const [program = "", ...before] = disk.command();
  const { status, stdout, stderr } = spawnSync(program, [...before, programPath, ...argv], {
    env: { ...process.env, DATABASE_URL: databaseUrl, LOG_LEVEL: "silent" },
    stdio: ["ignore", output, "pipe"],
    encoding: "utf8",
  });
  counts.commands += 1;
  assert.equal(status, 1, `${argv}: ${stderr}`);
  assert.match(stderr + (stdout ?? ""), problem, argv.join(" "));
}

const worksNow = (databaseUrl: string, argv: string[]) =>
  succeeds(databaseUrl, argv, {
    environment: { DATABASE_URL: databaseUrl, REGION: "local", LOG_LEVEL: "silent" },
    now: Date.now,
  });

/** Kills a service, and starts another on the full disk: log, readiness and metric agree, until there is space. */
async function startOnFullDisk({ folder, disk }: Place): Promise<void> {
  const databaseUrl = `sqlite:${databaseFile(folder)}`;
  const keys = await makeOrganization(databaseUrl);
  const killed = await startService(databaseUrl);
  await registerCampaigns(killed.url, keys.ingest, 1);
  const events = generateEvents(maxEvents, 1);
  const send = async (url: string) => {
    const some = Array.from({ length: batch }, () => events.next().value);
    const body = JSON.stringify({ events: some });
    return (await request(`${url}/ingest/v1/events`, keys.ingest, body)).status;
  };
  assert.equal(await send(killed.url), 200);
  disk.fill(killed.child.pid as number, 0);
  // SQLite goes on writing to the space that its log already has.
  while ((await send(killed.url)) === 200);
  await stopService(killed, "SIGKILL");
  const command = disk.command(statSync(`${databaseFile(folder)}-wal`).size);
  const service = await startService(databaseUrl, { command, environment: { MONITORING: "127.0.0.1:0" } });
  const stateOf = async () => ({
    readiness: JSON.parse((await request(`${service.url}/readyz`, keys.read)).text) as unknown,
    isReadOnly: /^email_analytics_database_read_only (\d)$/m.exec(
      (await request(service.monitoring ?? "", keys.read)).text,
    )?.[1],
    status: await send(service.url),
  });
  try {
    // It notices with its first write, of upkeep, which a busy machine delays.
    while ((await request(`${service.url}/readyz`, keys.read)).text === '{"status":"ok"}') await pause(50);
    const { readiness, ...others } = await stateOf();
    assert.match(
      JSON.stringify(readiness),
      /^{"status":"warn","warnings":\["The database can only be read \(SQLITE_\w+\); its disk is full or read-only."\]}$/,
    );
    assert.deepEqual(others, { isReadOnly: "1", status: 503 });
    assert.match(service.stderr(), /the database can only be read/);
    disk.free(service.child.pid as number);
    assert.deepEqual(await stateOf(), { readiness: { status: "ok" }, isReadOnly: "0", status: 200 });
  } finally {
    await stopService(service);
  }
}

const tests = {
  "a service that starts on a full disk after a kill says so everywhere, and recovers": startOnFullDisk,
  "a service on a full disk reads on, refuses writes and recovers, and commands fail cleanly": fillRepeatedly,
};
for (const [title, run] of Object.entries(tests)) {
  test(title, async (t) => {
    const [folder, filesFolder] = [makeFolder(t), makeFolder(t)];
    const onDisk = (disk: FullDisk) => run({ folder, filesFolder, disk });
    await (isFullSize ? withMountedDisk(folder, onDisk) : onDisk(limitFiles(databaseFile(folder))));
  });
}
