// Reading from a replica: what it has is served from there, what it lacks comes from the primary, and no response is
// older than the state before the request.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { deleteApiKey, listApiKeys } from "../../../src/storage/api-keys.ts";
import type { Database } from "../../../src/storage/database.ts";
import { openReplica } from "../../../src/storage/postgres/replica.ts";
import { startPostgres } from "../../support/postgres-server.ts";
import { startStandby } from "../../support/postgres-standby.ts";
import { campaign, makeWorldOn, serve } from "../../support/world.ts";

/** Counts queries of the primary. */
function counting(database: Database): Database & { looks: () => number } {
  let looks = 0;
  return {
    ...database,
    query(work) {
      looks += 1;
      return database.query(work);
    },
    looks: () => looks,
  };
}

async function replicated(test: TestContext) {
  const primary = await startPostgres();
  test.after(() => primary.remove());
  await primary.query("create database world");
  const standby = await startStandby(primary);
  test.after(() => standby.remove());
  const world = await makeWorldOn(test, primary.url("world"));
  const troubles: unknown[] = [];
  const replica = openReplica(standby.url("world"), 2, (error) => troubles.push(error));
  test.after(() => replica.close());
  const database = counting(world.database);
  const service = await serve(test, world, { database, replica, memory: { pages: 0, timelines: 1_000_000 } });
  const { organization, key } = await world.addOrganization();
  /** Subjects in the response, and queries of the primary: one for the key, one more for the records. */
  const look = async () => {
    const before = database.looks();
    const { emails } = await service.emails(key);
    return [emails.map(({ subject }) => subject), database.looks() - before];
  };
  /** Reads the timeline from the primary and connects to the replica, which may be too slow at first. */
  const warmUp = async () => {
    while ((await look())[1] !== 1);
    troubles.length = 0;
  };
  return { primary, standby, world, service, organization, key, look, warmUp, troubles };
}

test("reads records from an up-to-date replica, and from the primary while the replica lags", async (t) => {
  const { standby, world, organization, look, warmUp, troubles } = await replicated(t);
  await world.save(organization, [campaign({ id: 1, subject: "First" })]);
  await standby.catchUp();
  await warmUp();
  assert.deepEqual(await look(), [["First"], 1]);
  await standby.pauseReplay();
  await world.save(organization, [campaign({ id: 1, subject: "Changed" })]);
  assert.deepEqual(await look(), [["Changed"], 2], "the very next answer has the change");
  assert.deepEqual(await look(), [["Changed"], 2]);
  await standby.resumeReplay();
  await standby.catchUp();
  assert.deepEqual(await look(), [["Changed"], 1]);
  assert.deepEqual(troubles, []);
});

test("does not read from a replica of another database", async (t) => {
  const { primary, world, organization, key } = await replicated(t);
  await world.save(organization, [campaign({ id: 1, subject: "Ours" })]);
  await primary.query("create database other");
  const other = await makeWorldOn(t, primary.url("other"));
  const stranger = await other.addOrganization();
  other.clock.now += 60_000;
  await other.save(stranger.organization, [campaign({ id: 1, subject: "A stranger's" })]);
  const troubles: unknown[] = [];
  const replica = openReplica(primary.url("other"), 2, (error) => troubles.push(error));
  t.after(() => replica.close());
  const service = await serve(t, world, { replica, memory: { pages: 0, timelines: 1_000_000 } });
  assert.equal(stranger.organization.id, organization.id);
  // The first connection may time out. The replica is used again after a pause.
  do assert.equal((await service.emails(key)).emails[0]?.subject, "Ours");
  while (/timeout/.test(String(troubles.at(-1))));
  assert.match(String(troubles.at(-1)), /of another database/);
});

test("rejects a deleted key with the very next request when the replica still has it", async (t) => {
  const { standby, world, service, organization, key } = await replicated(t);
  await standby.catchUp();
  await standby.pauseReplay();
  const [first] = await world.database.snapshot((queries) => listApiKeys(queries, organization.id));
  await world.database.transaction((queries) => deleteApiKey(queries, organization.id, first?.id ?? 0));
  assert.equal((await service.get("/data_api/v1/emails", { key })).status, 401);
});

test("reads from the primary while the replica is down, then from the replica again", async (t) => {
  const { standby, world, organization, look, warmUp, troubles } = await replicated(t);
  await world.save(organization, [campaign({ id: 1, subject: "First" })]);
  await standby.catchUp();
  await warmUp();
  await standby.kill();
  assert.deepEqual(await look(), [["First"], 2]);
  assert.equal(troubles.length, 1, "which is said once");
  assert.deepEqual(await look(), [["First"], 2]);
  assert.equal(troubles.length, 1);
  await standby.start();
  while ((await look())[1] !== 1);
});

test("rejects a bad query and answers 304 with a replica as without one", async (t) => {
  const { standby, service, key } = await replicated(t);
  await standby.catchUp();
  const bad = await service.get("/data_api/v1/emails?page=0", { key });
  assert.equal(bad.status, 400);
  const { headers } = await service.get("/data_api/v1/emails", { key });
  const known = { "if-none-match": headers.get("etag") ?? "" };
  assert.equal((await service.get("/data_api/v1/emails", { key, headers: known })).status, 304);
});
