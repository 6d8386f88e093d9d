// When API keys were last used: recorded to the minute, in the background.

import assert from "node:assert/strict";
import test from "node:test";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { minuteMs } from "../../../src/campaign/calendar/durations.ts";
import { startKeyUsage } from "../../../src/http/request/key-usage.ts";
import { deleteApiKey, listApiKeys } from "../../../src/storage/keys/api-keys.ts";
import { findOrganization } from "../../../src/storage/organizations/organizations.ts";
import type { Database } from "../../../src/storage/queries/database.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { countedCampaign, makeAcme, present, serve, type World } from "../../support/world.ts";

const never = 2 ** 30;
const request = (at: number) => ({ at, client: "curl/8.5.0" });

const uses = (world: World, organizationId: number) =>
  world.database.snapshot(async (queries) =>
    (await listApiKeys(new Scope(queries, organizationId))).map(({ lastUsedAt }) => lastUsedAt),
  );

/** A database that counts transactions, and fails while `state.fails` is set. */
function watched({ database }: World) {
  const state = { writes: 0, fails: false };
  const watching: Database = {
    ...database,
    snapshot: (...given) => database.snapshot(...given),
    query: (...given) => database.query(...given),
    transaction: async (...given) => {
      state.writes += 1;
      if (state.fails) throw new Error("the disk is full");
      return database.transaction(...given);
    },
  };
  return { state, watching };
}

test("records the minute in which a key of either scope was used, at the latest when the server stops", async (t) => {
  const { world, organization, key, ingestKey } = await makeAcme(t);
  const other = await world.addOrganization({ name: "Other" });
  const service = await serve(t, world, { keyUsageMs: never });
  world.clock.now = present + 34_567;
  await service.emails(key);
  await service.send("/ingest/v1/campaigns/1", { method: "PUT", key: ingestKey, body: countedCampaign(1) });
  assert.deepEqual(await uses(world, organization.id), [null, null]);
  await service.stop();
  assert.deepEqual(await uses(world, organization.id), [present, present]);
  assert.deepEqual(await uses(world, other.organization.id), [null, null]);
});

test("records the time and the client of the first use of a key, and keeps them", async (t) => {
  const { world, organization, key } = await makeAcme(t);
  const firstUses = () =>
    world.database.snapshot(async (queries) =>
      (await listApiKeys(new Scope(queries, organization.id))).map((each) => [
        each.firstUsedAt,
        each.firstClient,
      ]),
    );
  const service = await serve(t, world, { keyUsageMs: 20 });
  assert.deepEqual(await firstUses(), [
    [null, null],
    [null, null],
  ]);
  world.clock.now = present + 34_567;
  await service.get("/data_api/v1/emails", {
    key,
    headers: { "user-agent": `curl/8.5.0 ${"x".repeat(300)}` },
  });
  while ((await uses(world, organization.id))[0] === null) await pause(20);
  const first = [present + 34_567, `curl/8.5.0 ${"x".repeat(189)}`];
  assert.deepEqual(await firstUses(), [first, [null, null]]);
  world.clock.now = present + 2 * minuteMs;
  await service.get("/data_api/v1/emails?page=2", { key, headers: { "user-agent": "Tableau" } });
  await service.stop();
  assert.deepEqual(await uses(world, organization.id), [present + 2 * minuteMs, null]);
  assert.deepEqual(await firstUses(), [first, [null, null]]);
});

test("does not record the use of a rejected key", async (t) => {
  const { world, organization, key, ingestKey } = await makeAcme(t);
  const service = await serve(t, world, { keyUsageMs: never });
  assert.equal((await service.get("/data_api/v1/emails", { key: ingestKey })).status, 403);
  assert.equal((await service.send("/ingest/v1/events", { key, body: { events: [] } })).status, 403);
  await service.stop();
  assert.deepEqual(await uses(world, organization.id), [null, null]);
});

test("writes the usage of all keys in one transaction per organization, without raising the revision", async (t) => {
  const { world, organization } = await makeAcme(t);
  const { organization: other } = await world.addOrganization();
  const { state, watching } = watched(world);
  const usage = startKeyUsage({ database: watching, log: { warn() {}, debug() {} }, afterMs: never });
  const before = await world.read(organization, findOrganization);
  for (let second = 0; second < 60; second++)
    usage.note(organization.id, 1 + (second % 2), request(present + second * 1000));
  usage.note(other.id, 3, request(present));
  await usage.flush();
  await usage.flush();
  assert.equal(state.writes, 2);
  usage.note(organization.id, 1, request(present + minuteMs - 1));
  await usage.flush();
  assert.equal(state.writes, 3);
  usage.note(organization.id, 1, request(present + minuteMs));
  await usage.stop();
  assert.equal(state.writes, 4);
  assert.deepEqual(await uses(world, organization.id), [present + minuteMs, present]);
  assert.deepEqual(await uses(world, other.id), [present, null]);
  const after = await world.read(organization, findOrganization);
  assert.deepEqual(after, before);
});

test("keeps a later minute that another process recorded, and the keys of other organizations", async (t) => {
  const { world, organization } = await makeAcme(t);
  const { organization: other } = await world.addOrganization();
  const start = () =>
    startKeyUsage({ database: world.database, log: { warn() {}, debug() {} }, afterMs: never });
  const [one, slow] = [start(), start()];
  one.note(organization.id, 1, request(present + minuteMs));
  await one.stop();
  slow.note(organization.id, 1, request(present));
  // The key 3 belongs to the other organization, the key 2 does not.
  slow.note(organization.id, 3, request(present));
  slow.note(99, 2, request(present));
  await slow.stop();
  assert.deepEqual(await uses(world, organization.id), [present + minuteMs, null]);
  assert.deepEqual(await uses(world, other.id), [null, null]);
});

test("keeps the earliest request and its client, in whichever order requests arrive and however often writing fails", async (t) => {
  const { world, organization } = await makeAcme(t);
  const { state, watching } = watched(world);
  const usage = startKeyUsage({ database: watching, log: { warn() {}, debug() {} }, afterMs: never });
  usage.note(organization.id, 1, { at: present + 2_000, client: "Tableau" });
  usage.note(organization.id, 1, { at: present + 1_000, client: "curl/8.5.0" });
  state.fails = true;
  await usage.flush();
  usage.note(organization.id, 1, { at: present + 3_000, client: "Excel" });
  state.fails = false;
  await usage.stop();
  assert.equal(state.writes, 2);
  const [key] = await world.read(organization, listApiKeys);
  assert.deepEqual([key?.firstUsedAt, key?.firstClient], [present + 1_000, "curl/8.5.0"]);
});

test("keeps requests that arrive while a flush fails", async (t) => {
  const { world, organization } = await makeAcme(t);
  let fails = true;
  const usage = startKeyUsage({
    database: {
      transactionOf: async (...given) => {
        if (!fails) return world.database.transactionOf(...given);
        usage.note(organization.id, 1, request(present + 1_000));
        usage.note(organization.id, 1, request(present + minuteMs));
        throw new Error("the disk is full");
      },
    },
    log: { warn() {}, debug() {} },
    afterMs: never,
  });
  usage.note(organization.id, 1, request(present));
  await usage.flush();
  fails = false;
  await usage.stop();
  const [key] = await world.read(organization, listApiKeys);
  assert.deepEqual([key?.lastUsedAt, key?.firstUsedAt], [present + minuteMs, present]);
});

test("warns once when key usage cannot be written, retries, and drops it when the key is deleted", async (t) => {
  const { world, organization } = await makeAcme(t);
  const { state, watching } = watched(world);
  const said: unknown[] = [];
  const log = { warn: (_facts: unknown, words?: string) => void said.push(words), debug() {} };
  const usage = startKeyUsage({ database: watching, log, afterMs: never });
  state.fails = true;
  usage.note(organization.id, 1, request(present));
  usage.note(organization.id, 2, request(present));
  await usage.flush();
  usage.note(organization.id, 1, request(present + minuteMs));
  await usage.flush();
  assert.deepEqual(said, ["cannot record when keys were used; will retry"]);
  assert.deepEqual(await uses(world, organization.id), [null, null]);
  state.fails = false;
  await world.write(organization, (scope) => deleteApiKey(scope, 2));
  await usage.stop();
  assert.deepEqual(await uses(world, organization.id), [present + minuteMs]);
});

test("writes a first use soon, and further uses or one that failed within a minute", async (t) => {
  let writes = 0;
  let fails = false;
  t.mock.timers.enable({ apis: ["setInterval"] });
  const transactionOf = async () => {
    writes += 1;
    if (fails) throw new Error("the disk is full");
    return undefined as never;
  };
  const usage = startKeyUsage({ database: { transactionOf }, log: { warn() {}, debug() {} }, afterMs: 20 });
  const writesAfter = async (ms: number) => {
    t.mock.timers.tick(ms);
    for (let turns = 0; turns < 10; turns++) await nextTurn();
    return writes;
  };
  usage.note(1, 1, request(present));
  assert.deepEqual([await writesAfter(19), await writesAfter(1)], [0, 1]);
  usage.note(1, 1, request(present + 1));
  assert.deepEqual([await writesAfter(59_940), await writesAfter(60)], [1, 2]);
  fails = true;
  usage.note(1, 2, request(present));
  assert.deepEqual([await writesAfter(20), await writesAfter(59_900), await writesAfter(80)], [3, 3, 4]);
  fails = false;
  await usage.stop();
  assert.equal(writes, 5);
});
