// Kills workers of a Citus cluster with SIGKILL while events arrive. What was acknowledged is in the next response.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { CitusCluster } from "../../test/support/citus-cluster.ts";
import { Random } from "../../test/support/histories.ts";
import type { PostgresServer } from "../../test/support/postgres-server.ts";
import { run } from "../../test/support/world.ts";
import { makeOrganization, startService, stopService } from "../support/service.ts";
import { Witness } from "./witness.ts";

/** So many that every worker has some of them. */
const organizations = 6;
/** The service retries for 30 seconds; the computer may be slow. */
const maxRecoveryMs = 300_000;

/** @throws AssertionError if an acknowledged event is missing from a response, or an event was counted twice */
export async function verifyWorkerKills(
  cluster: CitusCluster,
  databaseUrl: string,
  { kills, print }: { kills: number; print: (line: string) => void },
): Promise<void> {
  const random = new Random(kills);
  const keys = [];
  for (let count = 0; count < organizations; count++) keys.push(await makeOrganization(databaseUrl));
  const service = await startService(databaseUrl);
  try {
    const witnesses = keys.map((each) => new Witness(service.url, each));
    for (const witness of witnesses) await witness.register();
    let isOver = false;
    const failures: unknown[] = [];
    const sending = witnesses.map((witness) =>
      witness.sendUntil(() => isOver || failures.length > 0).catch((error: unknown) => failures.push(error)),
    );
    let longestMs = 0;
    for (let kill = 1; kill <= kills && failures.length === 0; kill++) {
      await pause(random.between(0, 300));
      const worker = cluster.workers[kill % cluster.workers.length] as PostgresServer;
      await killProcesses(worker);
      await pause(random.between(0, 300));
      await worker.start();
      longestMs = Math.max(longestMs, await untilAcknowledged(witnesses, failures));
      if (kill % 10 === 0) print(`${kill} kills`);
    }
    isOver = true;
    await Promise.all(sending);
    if (failures.length > 0) throw failures[0];
    for (const witness of witnesses) await witness.check();
    const sum = (of: "requests" | "unavailable") => witnesses.reduce((before, each) => before + each[of], 0);
    print(
      `${kills} kills of a worker: ${sum("requests")} acknowledged requests, each complete in the next response; ${sum("unavailable")} responses 503; recovery within ${Math.round(longestMs)} ms`,
    );
  } catch (error) {
    throw new Error(`log of the service: ${service.stderr().slice(-5_000)}`, { cause: error });
  } finally {
    await stopService(service);
  }
  const recounted = await run(databaseUrl, ["recount"]);
  assert.equal(recounted.exitCode, 0, recounted.stderr);
  print(recounted.stderr.trim());
}

/** The postmaster is stopped first, so that it starts no other process. */
async function killProcesses(server: PostgresServer): Promise<void> {
  const postmaster = Number(readFileSync(join(server.folder, "data/postmaster.pid"), "utf8").split("\n")[0]);
  process.kill(postmaster, "SIGSTOP");
  const processes = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" })
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === postmaster)
    .map(([pid]) => pid as number);
  for (const pid of [...processes, postmaster]) process.kill(pid, "SIGKILL");
  // Waits for its end.
  await server.kill();
}

async function untilAcknowledged(witnesses: readonly Witness[], failures: unknown[]): Promise<number> {
  const since = performance.now();
  while (witnesses.some(({ lastAcknowledgedSentAt }) => lastAcknowledgedSentAt < since)) {
    if (failures.length > 0) throw failures[0];
    assert.ok(performance.now() - since < maxRecoveryMs, "the service does not recover");
    await pause(5);
  }
  return performance.now() - since;
}
