// Starts a Citus cluster, and checks what differs from a single PostgreSQL server: that each request uses one shard and
// no two-phase commit, that killed nodes and moved shards lose nothing, and that `copy` moves a database there and back.
// Compares the throughput.

import assert from "node:assert/strict";
import { join } from "node:path";
import test from "node:test";
import { openDatabase } from "../../../src/storage/open-database.ts";
import { acquireLease } from "../../../src/storage/organizations/leases.ts";
import { checkRecords } from "../../support/check-records.ts";
import {
  type CitusCluster,
  makeCitusDatabase,
  startCitusCluster,
  whyNoCitus,
} from "../../support/citus-cluster.ts";
import { generateEvents, requestBodies } from "../../support/generated-events.ts";
import { askAs } from "../../support/guest-role.ts";
import { isFullSize, report } from "../../support/random-cases.ts";
import { request } from "../../support/request.ts";
import {
  type Keys,
  makeOrganization,
  registerCampaigns,
  sendAll,
  startService,
  stopService,
} from "../../support/service-process.ts";
import { withTemporaryFolder } from "../../support/temporary-folder.ts";
import { succeeds } from "../../support/world.ts";
import { importAndUndo, saveList, signInAll } from "./large-work.ts";
import { logSettings, type RemoteTransaction, readRemoteTransactions } from "./one-shard.ts";
import { verifyOutages } from "./outages.ts";
import { compareThroughput } from "./throughput.ts";

const campaigns = 6;
const events = 5_000;
const organizations = 4;
const connections = 4;
const tracking = {
  TRACKING_SECRET: "a-secret-of-this-check-that-is-long-enough",
  PUBLIC_URL: "http://127.0.0.1",
};

/** @throws AssertionError if a request uses several shards, or if an event is lost or counted twice */
async function checkCluster(): Promise<void> {
  const cluster = await startCitusCluster(logSettings);
  const servers = [cluster.coordinator, ...cluster.workers].map((server) => server.url());
  try {
    await verifyMovedRows(servers);
    const databaseUrl = await makeCitusDatabase(servers, "verify");
    const all = await verifyOneShard(cluster, databaseUrl);
    await verifyCopies(databaseUrl, await makeCitusDatabase(servers, "copied"), all);
    await cluster.coordinator.query("create database plain");
    const citus = await makeCitusDatabase(servers, "throughput");
    await compareThroughput({ plain: cluster.coordinator.url("plain"), citus });
    const outages = { kills: 50, downMs: 60_000 };
    await verifyOutages(cluster, await makeCitusDatabase(servers, "outages"), outages);
  } finally {
    await cluster.remove();
  }
}

/** Citus copies rows. What it would leave on the coordinator could never be deleted. */
async function verifyMovedRows(servers: readonly string[]): Promise<void> {
  const databaseUrl = await makeCitusDatabase(servers, "moved", makeOrganization);
  const withRows = "select table_name::text as name from citus_tables where pg_relation_size(table_name) > 0";
  assert.deepEqual(await askAs(databaseUrl, withRows), []);
  report("rows from before the distribution are on the workers only");
}

/** Upkeep and notifications, which read all shards, are left to a process that does not exist. */
async function stopBackgroundWork(databaseUrl: string): Promise<void> {
  const database = await openDatabase(databaseUrl);
  for (const name of ["upkeep", "notifications"] as const) {
    const lease = { name, holder: "verify", ms: 3_600_000 };
    await database.transaction((queries) => acquireLease(queries, lease));
  }
  await database.close();
}

async function verifyOneShard(cluster: CitusCluster, databaseUrl: string): Promise<Keys[]> {
  const all: Keys[] = [];
  for (let count = 0; count < organizations; count++) all.push(await makeOrganization(databaseUrl));
  const sessions = await signInAll(databaseUrl, all);
  await stopBackgroundWork(databaseUrl);
  const transactions = await readRemoteTransactions(cluster.coordinator, databaseUrl, async () => {
    const service = await startService(databaseUrl, { environment: tracking });
    try {
      for (const keys of all) {
        await useEverything(service.url, keys);
        await saveList(service.url, keys);
        await importAndUndo(service.url, sessions.get(keys) ?? assert.fail());
      }
    } finally {
      await stopService(service);
    }
  });
  const statements = transactions.flatMap((each) => each.statements);
  const several = transactions.filter((each) => each.shards.size > 1 && !isOfStart(each));
  assert.deepEqual(several, []);
  const prepared = statements.filter((statement) => statement.startsWith("PREPARE TRANSACTION"));
  assert.deepEqual(prepared, []);
  const used = new Set(transactions.flatMap(({ shards }) => [...shards]));
  assert.ok(used.size > 1);
  report(
    `${transactions.length} transactions of ${organizations} organizations with ${statements.length} statements: each used one shard, of ${used.size}, without two-phase commit`,
  );
  return all;
}

/** At its start the service lists all organizations. */
function isOfStart({ statements }: RemoteTransaction): boolean {
  return statements.every((text) =>
    /^(BEGIN|COMMIT|SELECT id, name, .* FROM public\.organizations_\d+ organizations WHERE true)/.test(text),
  );
}

/** Registers campaigns, sends events, opens a tracked message, and reads records, of one organization. */
async function useEverything(url: string, keys: Keys): Promise<void> {
  await registerCampaigns(url, keys.ingest, campaigns);
  const generated = [...generateEvents(events, campaigns, `o${keys.organizationId}`)];
  assert.deepEqual(await sendAll(url, keys.ingest, requestBodies(generated), connections), {
    accepted: events,
    repeated: 0,
    quarantined: 0,
  });
  await checkRecords(url, keys.read, { campaigns, events: generated });
  const message = { html: '<p><a href="https://example.com/">News</a></p>', recipients: ["Ann@example.com"] };
  const made = await request(`${url}/ingest/v1/campaigns/1/messages`, keys.ingest, JSON.stringify(message));
  assert.equal(made.status, 200, made.text);
  const links = JSON.parse(made.text).messages[0].html.matchAll(/http:\/\/127\.0\.0\.1(\/t\/[co]\/[\w-]+)/g);
  for (const [, path] of links) {
    const { status } = await fetch(url + path, { redirect: "manual" });
    assert.ok(status === 302 || status === 200, `${path}: ${status}`);
  }
}

/** From one distributed database to another, and to SQLite. */
async function verifyCopies(from: string, to: string, all: readonly Keys[]): Promise<void> {
  await withTemporaryFolder(async (folder) => {
    const file = `sqlite:${join(folder, "copy.db")}`;
    for (const [source, target] of [
      [from, to],
      [to, file],
    ] as const) {
      await succeeds(target, ["copy", "--from", source]);
    }
    const read = async (url: string) => {
      const texts: string[] = [];
      const service = await startService(url);
      for (const { read: key } of all)
        texts.push((await request(`${service.url}/data_api/v1/emails`, key)).text);
      await stopService(service);
      return texts;
    };
    const here = await read(from);
    assert.deepEqual(await read(to), here);
    assert.deepEqual(await read(file), here);
    report(
      `${here.length} organizations are the same after a copy to another cluster database and to SQLite`,
    );
  });
}

test("says in one line that CITUS_PROGRAMS is not set", (t) => {
  const { CITUS_PROGRAMS } = process.env;
  t.after(() => CITUS_PROGRAMS !== undefined && Object.assign(process.env, { CITUS_PROGRAMS }));
  delete process.env.CITUS_PROGRAMS;
  assert.match(
    String(whyNoCitus()),
    /^CITUS_PROGRAMS is not set; install PostgreSQL and Citus \(.*\), and set it to .*$/,
  );
});

if (isFullSize) {
  test("a request uses one shard of a Citus cluster, and killed nodes and moved shards lose nothing", async () => {
    const obstacle = whyNoCitus();
    if (obstacle !== undefined) throw new Error(obstacle);
    await checkCluster();
  });
}
