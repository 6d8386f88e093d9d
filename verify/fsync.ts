// No answer leaves before what it acknowledges is on disk: the system calls of a serving process, one after the other.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { madeUpEvents } from "./made-up-events.ts";
import { makeOrganization, registerCampaigns, sendEvents, startService } from "./service.ts";

export interface FsyncOptions {
  folder: string;
  requests: number;
  say: (line: string) => void;
}

const root = join(import.meta.dirname, "..");

/**
 * @throws AssertionError when an answer leaves too early, or when a copy of the program that does not wait for the
 *   disk passes as well
 */
export async function verifyFsync({ folder, requests, say }: FsyncOptions): Promise<void> {
  if (spawnSync("strace", ["-V"]).status !== 0) throw new Error("strace is needed; install it");
  const real = await trace(join(folder, "real"), requests);
  say(`synchronous=FULL: ${real.answers} answers, ${real.early} before the log of writes was on disk`);
  const control = await trace(join(folder, "control"), requests, copyThatDoesNotWait(folder));
  say(`control, synchronous=NORMAL: ${control.answers} answers, ${control.early} before it was on disk`);
  assert.equal(real.answers, requests);
  assert.equal(real.early, 0);
  assert.equal(control.answers, requests);
  assert.ok(control.early > 0, "the control has to fail");
}

/** The program with another setting of SQLite: what such a setting would do has to be seen. */
function copyThatDoesNotWait(folder: string): string {
  const copy = join(folder, "copy");
  for (const part of ["bin", "src", "package.json"])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  const path = join(copy, "src/storage/sqlite/database.ts");
  const text = readFileSync(path, "utf8");
  const changed = text
    .replace('pragma("synchronous = FULL")', 'pragma("synchronous = NORMAL")')
    .replace("synchronous: 2", "synchronous: 1");
  assert.notEqual(changed, text);
  writeFileSync(path, changed);
  return join(copy, "bin/email-analytics.js");
}

async function trace(
  folder: string,
  requests: number,
  program?: string,
): Promise<{ answers: number; early: number }> {
  const log = `${folder}.strace`;
  const databaseUrl = `sqlite:${join(folder, "data.db")}`;
  const keys = await makeOrganization(databaseUrl);
  const calls = "trace=fsync,fdatasync,pwrite64,write,writev,sendto";
  const command = ["strace", "-f", "-y", "-qq", "-s", "40", "-e", calls, "-o", log, process.execPath];
  const service = await startService(databaseUrl, { command, ...(program && { program }) });
  await registerCampaigns(service.url, keys.ingest, 3);
  const events = [...madeUpEvents(requests * 5, 3)];
  for (let request = 0; request < requests; request++) {
    await sendEvents(service.url, keys.ingest, events.slice(request * 5, request * 5 + 5));
  }
  // strace passes no signal on: the traced process is stopped itself.
  spawnSync("pkill", ["-TERM", "-P", String(service.child.pid)]);
  await service.ended;
  return readTrace(readFileSync(log, "utf8").split("\n"), requests);
}

/** Whether, at each of the last answers, the log of writes has been written and then been on disk. */
function readTrace(lines: readonly string[], requests: number): { answers: number; early: number } {
  const outcomes: boolean[] = [];
  let isWritten = false;
  let isOnDisk = false;
  /** Threads whose fsync of the log has begun, but not returned. */
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
  const answers = outcomes.slice(-requests);
  return { answers: answers.length, early: answers.filter((isRight) => !isRight).length };
}
