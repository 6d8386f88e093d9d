// Checks with strace that the server sends no response before the data that it acknowledges is on disk.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import test from "node:test";
import { generateEvents } from "../support/generated-events.ts";
import { isFullSize, report } from "../support/random-cases.ts";
import { makeOrganization, registerCampaigns, sendEvents, startService } from "../support/service-process.ts";
import { makeFolder } from "../support/world.ts";

const root = join(import.meta.dirname, "../..");
const requests = 50;

/** A copy of the program that does not wait for the disk has to fail. It needs strace. */
async function compareWithControl(folder: string): Promise<void> {
  if (spawnSync("strace", ["-V"]).status !== 0) throw new Error("strace is needed; install it");
  const real = await trace(join(folder, "real"));
  report(
    `synchronous=FULL: ${real.responses} responses, ${real.early} before the write-ahead log was on disk`,
  );
  const control = await trace(join(folder, "control"), copyThatDoesNotWait(folder));
  report(
    `control, synchronous=NORMAL: ${control.responses} responses, ${control.early} before it was on disk`,
  );
  assert.equal(real.responses, requests);
  assert.equal(real.early, 0);
  assert.equal(control.responses, requests);
  assert.ok(control.early > 0, "the control must fail");
}

/** A copy of the program with a weaker setting of SQLite, which the check must detect. */
function copyThatDoesNotWait(folder: string): string {
  const copy = join(folder, "copy");
  for (const part of ["bin", "src", "package.json"])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  replaceIn(join(copy, "src/storage/sqlite/connect.ts"), '"synchronous = FULL"', '"synchronous = NORMAL"');
  replaceIn(join(copy, "src/storage/sqlite/check-settings.ts"), "synchronous: 2", "synchronous: 1");
  return join(copy, "bin/email-analytics.js");
}

function replaceIn(path: string, text: string, other: string): void {
  const before = readFileSync(path, "utf8");
  const after = before.replace(text, other);
  assert.notEqual(after, before);
  writeFileSync(path, after);
}

async function trace(folder: string, program?: string): Promise<{ responses: number; early: number }> {
  const log = `${folder}.strace`;
  const databaseUrl = `sqlite:${join(folder, "data.db")}`;
  const keys = await makeOrganization(databaseUrl);
  const calls = "trace=fsync,fdatasync,pwrite64,write,writev,sendto";
  const command = ["strace", "-f", "-y", "-qq", "-s", "40", "-e", calls, "-o", log, process.execPath];
  const service = await startService(databaseUrl, { command, ...(program && { program }) });
  await registerCampaigns(service.url, keys.ingest, 3);
  const events = [...generateEvents(requests * 5, 3)];
  for (let request = 0; request < requests; request++) {
    await sendEvents(service.url, keys.ingest, events.slice(request * 5, request * 5 + 5));
  }
  // strace does not forward signals: stop the traced process.
  spawnSync("pkill", ["-TERM", "-P", String(service.child.pid)]);
  await service.ended;
  return readTrace(readFileSync(log, "utf8").split("\n"));
}

/** Counts the last responses, and those sent before the write-ahead log was written and synced. */
function readTrace(lines: readonly string[]): { responses: number; early: number } {
  const outcomes: boolean[] = [];
  let isWritten = false;
  let isOnDisk = false;
  /** Threads that have started an fsync of the log which has not returned. */
  const waiting = new Set<string>();
  for (const line of lines) {
    const [thread = ""] = line.split(" ", 1);
    if (/pwrite64\(\d+<[^>]*-wal>/.test(line)) {
      isWritten = true;
      isOnDisk = false;
    } else if (/(fsync|fdatasync)\(\d+<[^>]*-wal>/.test(line)) {
      if (line.includes("<unfinished")) waiting.add(thread);
      else isOnDisk = true;
    } else if (/<\.\.\. (fsync|fdatasync) resumed>/.test(line)) {
      if (waiting.delete(thread)) isOnDisk = true;
    } else if (/(write|writev|sendto)\(\d+<(socket|TCP).*HTTP\/1\.1 200/.test(line)) {
      outcomes.push(isWritten && isOnDisk);
      isWritten = false;
      isOnDisk = false;
    }
  }
  const responses = outcomes.slice(-requests);
  return { responses: responses.length, early: responses.filter((isRight) => !isRight).length };
}

test("the control of the check is a copy of the program that does not wait for the disk", (t) => {
  const program = copyThatDoesNotWait(makeFolder(t));
  const source = join(dirname(program), "..", "src", "storage", "sqlite", "connect.ts");
  assert.match(readFileSync(source, "utf8"), /"synchronous = NORMAL"/);
});

if (isFullSize) {
  test("sends no response before the data that it acknowledges is on disk", (t) =>
    compareWithControl(makeFolder(t)));
}
