// Kills nodes of a Citus cluster with SIGKILL and moves shards while events arrive. What was acknowledged is in the next
// response.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import type { CitusCluster } from "../../support/citus-cluster.ts";
import { Random } from "../../support/histories.ts";
import type { PostgresServer } from "../../support/postgres-server.ts";
import { report } from "../../support/random-cases.ts";
import { type Keys, makeOrganization, startService, stopService } from "../../support/service-process.ts";
import { succeeds } from "../../support/world.ts";
import { Witness } from "./witness.ts";

/** So many that every worker has some of them. */
const organizations = 6;
/** The service retries for 30 seconds; the computer may be slow. */
const maxRecoveryMs = 300_000;

export interface OutagesOptions {
  /** Of workers; a fifth as many of the coordinator. */
  kills: number;
  /** How long a worker stays down once. */
  downMs: number;
}

/** @throws AssertionError if an acknowledged event is missing from a response, or an event was counted twice */
export async function verifyOutages(
  { coordinator, workers }: CitusCluster,
  databaseUrl: string,
  { kills, downMs }: OutagesOptions,
): Promise<void> {
  const random = new Random(kills);
  const keys: Keys[] = [];
  for (let count = 0; count < organizations; count++) keys.push(await makeOrganization(databaseUrl));
  const service = await startService(databaseUrl);
  try {
    const load = await startLoad(service.url, keys);
    const repeat = async (times: number, what: string, disturb: (index: number) => Promise<void>) => {
      const before = load.counts();
      let longestMs = 0;
      for (let index = 0; index < times; index++) {
        await pause(random.between(0, 300));
        await disturb(index);
        longestMs = Math.max(longestMs, await load.untilAcknowledged());
      }
      const { requests, unavailable } = load.counts();
      report(
        `${times} ${what}: ${requests - before.requests} acknowledged requests, each complete in the next response; ${unavailable - before.unavailable} responses 503; recovery within ${Math.round(longestMs)} ms`,
      );
    };
    const restart = async (server: PostgresServer, ms: number) => {
      await killProcesses(server);
      await pause(ms);
      await server.start();
    };
    const worker = (index: number) => workers[index % workers.length] as PostgresServer;
    await repeat(kills, "kills of a worker", (index) => restart(worker(index), random.between(0, 300)));
    await repeat(Math.ceil(kills / 5), "kills of the coordinator", () =>
      restart(coordinator, random.between(0, 300)),
    );
    await repeat(1, `worker down for ${downMs / 1_000} s`, () => restart(worker(0), downMs));
    await repeat(Math.ceil(kills / 5), "shards moved to another worker", (index) =>
      moveShard(databaseUrl, index),
    );
    await load.stop();
  } catch (error) {
    throw new Error(`log of the service: ${service.stderr().slice(-5_000)}`, { cause: error });
  } finally {
    await stopService(service);
  }
  report((await succeeds(databaseUrl, ["recount"])).stderr.trim());
}

/** Each organization has one client, which sends and reads. */
async function startLoad(url: string, keys: readonly Keys[]) {
  const witnesses = keys.map((each) => new Witness(url, each));
  for (const witness of witnesses) await witness.register();
  let isOver = false;
  const failures: unknown[] = [];
  const sending = witnesses.map((witness) =>
    witness.sendUntil(() => isOver || failures.length > 0).catch((error: unknown) => failures.push(error)),
  );
  const sum = (of: "requests" | "unavailable") => witnesses.reduce((before, each) => before + each[of], 0);
  return {
    counts: () => ({ requests: sum("requests"), unavailable: sum("unavailable") }),
    untilAcknowledged: () => untilAcknowledged(witnesses, failures),
    async stop() {
      isOver = true;
      await Promise.all(sending);
      if (failures.length > 0) throw failures[0];
      for (const witness of witnesses) await witness.check();
    },
  };
}

/** Moves a shard of organizations, and all shards that are co-located with it, while clients write to them. */
async function moveShard(databaseUrl: string, index: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query(
      `select shardid, nodename, nodeport from citus_shards where table_name = 'organizations'::regclass
       order by shardid`,
    );
    const { shardid, nodename, nodeport } = rows[index % rows.length];
    const { rowCount } = await client.query(
      `select citus_move_shard_placement($1, $2, $3, nodename, nodeport) from pg_dist_node
       where shouldhaveshards and (nodename, nodeport) <> ($2, $3)`,
      [shardid, nodename, nodeport],
    );
    assert.equal(rowCount, 1);
  } finally {
    await client.end();
  }
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
