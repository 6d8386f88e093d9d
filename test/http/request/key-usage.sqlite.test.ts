// When API keys were last used: recorded to the minute, in the background.

import assert from "node:assert/strict";
import test from "node:test";
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import { minuteMs } from "../../../src/campaign/calendar/durations.ts";
import { startKeyUsage } from "../../../src/http/request/key-usage.ts";
import { addApiKey, deleteApiKey, listApiKeys } from "../../../src/storage/api-keys.ts";
import type { Database } from "../../../src/storage/database.ts";
import { findOrganization } from "../../../src/storage/organizations.ts";
import {
  campaign,
  countedCampaign,
  makeWorld,
  present,
  region,
  serve,
  type World,
} from "../../support/world.ts";

const never = 2 ** 30;
const request = (at: number) => ({ at, client: "curl/8.5.0" });

const uses = (world: World, organizationId: number) =>
  world.database.snapshot(async (queries) =>
    (await listApiKeys(queries, organizationId)).map(({ lastUsedAt }) => lastUsedAt),
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
  const world = await makeWorld(t);
  const { organization, key, ingestKey } = await world.addOrganization();
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

test("writes key usage to the database in the background", async (t) => {
  const world = await makeWorld(t);
  const { organization, key } = await world.addOrganization();
  const service = await serve(t, world, { keyUsageMs: 20 });
  await service.emails(key);
  while ((await uses(world, organization.id))[0] === null) await pause(20);
  assert.deepEqual(await uses(world, organization.id), [present, null]);
});

test("records the time and the client of the first use of a key, and keeps them", async (t) => {
  const world = await makeWorld(t);
  const { organization, key } = await world.addOrganization();
  const firstUses = () =>
    world.database.snapshot(async (queries) =>
      (await listApiKeys(queries, organization.id)).map((each) => [each.firstUsedAt, each.firstClient]),
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

test("records the rows of the first page, download, change or OData table that each key read, and keeps them", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  await world.save(
    organization,
    [1, 2, 3].map((id) => campaign({ id })),
  );
  /** What each key reads, and the rows that count: those of the first path that has any. */
  const cases: [rows: number | null, ...paths: string[]][] = [
    [2, "/data_api/v1/emails?per_page=2", "/data_api/v1/emails"],
    // The second key reads the cached page.
    [2, "/data_api/v1/emails?per_page=2"],
    [1, "/data_api/v1/emails?per_page=2&page=2"],
    [0, "/data_api/v1/emails?page=9"],
    [3, "/data_api/v1/emails/changes"],
    [3, "/data_api/v1/emails.csv"],
    [3, "/data_api/v1/emails.parquet?sent_after=2024-01-01"],
    [
      3,
      "/odata/v1/",
      "/odata/v1/$metadata",
      "/odata/v1/emails/$count",
      "/odata/v1/emails(1)",
      "/odata/v1/emails",
    ],
    [2, "/odata/v1/emails?$top=2"],
    [1, "/odata/v1/emails?$filter=id%20eq%201&$count=true"],
    [null, "/data_api/v1/emails?page=0", "/odata/v1/emails?$apply=x"],
  ];
  const keys = await world.database.transaction(async (queries) => {
    const given = { organizationId: organization.id, region, now: present };
    const added: string[] = [];
    for (const [index] of cases.entries()) {
      added.push((await addApiKey(queries, { ...given, name: `key ${index}` })).text);
    }
    return added;
  });
  const service = await serve(t, world, { keyUsageMs: never });
  for (const [index, [, ...paths]] of cases.entries()) {
    for (const path of paths) {
      const headers = { authorization: `Bearer ${keys[index]}`, connection: "close" };
      await (await fetch(service.url + path, { headers })).bytes();
    }
  }
  await service.stop();
  const stored = await world.database.snapshot((queries) => listApiKeys(queries, organization.id));
  assert.deepEqual(
    stored.slice(2).map(({ firstRows }) => firstRows),
    cases.map(([rows]) => rows),
  );
});

test("does not note the rows of a page that the client has already", async (t) => {
  const world = await makeWorld(t);
  const { organization, key } = await world.addOrganization();
  await world.save(organization, [campaign({ id: 1 })]);
  const other = await world.database.transaction((queries) =>
    addApiKey(queries, { organizationId: organization.id, name: "other", region, now: present }),
  );
  const service = await serve(t, world);
  const { headers } = await service.get("/data_api/v1/emails", { key });
  const known = { "if-none-match": headers.get("etag") ?? "" };
  assert.equal((await service.get("/data_api/v1/emails", { key: other.text, headers: known })).status, 304);
  await service.stop();
  const rows = await world.database.snapshot(async (queries) =>
    (await listApiKeys(queries, organization.id)).map(({ firstRows }) => firstRows),
  );
  assert.deepEqual(rows, [1, null, null]);
});

test("does not record the use of a rejected key", async (t) => {
  const world = await makeWorld(t);
  const { organization, key, ingestKey } = await world.addOrganization();
  const service = await serve(t, world, { keyUsageMs: never });
  assert.equal((await service.get("/data_api/v1/emails", { key: ingestKey })).status, 403);
  assert.equal((await service.send("/ingest/v1/events", { key, body: { events: [] } })).status, 403);
  await service.stop();
  assert.deepEqual(await uses(world, organization.id), [null, null]);
});

test("writes the usage of all keys in one transaction per organization, without raising the revision", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  const { organization: other } = await world.addOrganization();
  const { state, watching } = watched(world);
  const usage = startKeyUsage({ database: watching, log: { warn() {}, debug() {} }, afterMs: never });
  const before = await world.database.snapshot((queries) => findOrganization(queries, organization.id));
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
  const after = await world.database.snapshot((queries) => findOrganization(queries, organization.id));
  assert.deepEqual(after, before);
});

test("keeps a later minute that another process recorded, and the keys of other organizations", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
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

test("counts the requests of each key by day of the organization, of two processes together", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization({ timeZone: "Asia/Tokyo" });
  const { state, watching } = watched(world);
  const start = () => startKeyUsage({ database: watching, log: { warn() {}, debug() {} }, afterMs: never });
  const [one, two] = [start(), start()];
  // Midnight in Tokyo is 15:00 UTC.
  const midnight = present + 3 * 60 * minuteMs;
  for (let times = 0; times < 5; times++) one.note(organization.id, 1, request(midnight - 1));
  two.note(organization.id, 1, request(midnight));
  state.fails = true;
  await two.flush();
  state.fails = false;
  two.note(organization.id, 1, request(midnight));
  await one.stop();
  await two.stop();
  const daysOf = () =>
    world.database.snapshot(
      async (queries) => (await listApiKeys(queries, organization.id))[0]?.requestsByDay ?? {},
    );
  assert.deepEqual(await daysOf(), { "2026-06-15": 5, "2026-06-16": 2 });
  const later = start();
  for (let day = 0; day < 40; day++) {
    later.note(organization.id, 1, request(midnight + (5 + day) * 24 * 60 * minuteMs));
  }
  await later.stop();
  const days = Object.keys(await daysOf());
  assert.deepEqual([days.length, days[0], days.at(-1)], [30, "2026-07-01", "2026-07-30"]);
});

/** The requests by day, the first and the last use of the first key of an organization. */
async function usageOf({ database }: World, organizationId: number) {
  const [key] = await database.snapshot((queries) => listApiKeys(queries, organizationId));
  return [key?.requestsByDay, key?.firstUsedAt, key?.lastUsedAt];
}

test("keeps the requests of the last hour while they cannot be written", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  const { state, watching } = watched(world);
  const usage = startKeyUsage({ database: watching, log: { warn() {}, debug() {} }, afterMs: never });
  state.fails = true;
  for (let minute = 0; minute < 100; minute++) {
    usage.note(organization.id, 1, request(present + minute * minuteMs));
    await usage.flush();
  }
  state.fails = false;
  await usage.stop();
  assert.deepEqual(await usageOf(world, organization.id), [
    { "2026-06-15": 60 },
    present,
    present + 99 * minuteMs,
  ]);
});

test("keeps the first rows and the earliest request, in whichever order they arrive and however often writing fails", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  const { state, watching } = watched(world);
  const usage = startKeyUsage({ database: watching, log: { warn() {}, debug() {} }, afterMs: never });
  usage.note(organization.id, 1, { at: present + 2_000, client: "Tableau" });
  usage.note(organization.id, 1, { at: present + 1_000, client: "curl/8.5.0" });
  usage.note(organization.id, 1, { at: present + 3_000, client: "Excel" });
  usage.noteRows(organization.id, 1, 5);
  usage.noteRows(organization.id, 1, 9);
  // Key 2 only has rows.
  usage.noteRows(organization.id, 2, 7);
  state.fails = true;
  await usage.flush();
  usage.noteRows(organization.id, 1, 11);
  state.fails = false;
  await usage.flush();
  assert.equal(state.writes, 2);
  // Rows that are in the database are not written again.
  usage.noteRows(organization.id, 1, 13);
  await usage.stop();
  assert.equal(state.writes, 2);
  const keys = await world.database.snapshot((queries) => listApiKeys(queries, organization.id));
  assert.deepEqual(
    keys.map(({ firstUsedAt, firstClient, firstRows, requestsByDay }) => ({
      ...{ firstUsedAt, firstClient, firstRows, requestsByDay },
    })),
    [
      {
        firstUsedAt: present + 1_000,
        firstClient: "curl/8.5.0",
        firstRows: 5,
        requestsByDay: { "2026-06-15": 3 },
      },
      { firstUsedAt: null, firstClient: null, firstRows: 7, requestsByDay: {} },
    ],
  );
});

test("counts requests that arrive while a flush fails", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  let fails = true;
  const usage = startKeyUsage({
    database: {
      transaction: async (...given) => {
        if (!fails) return world.database.transaction(...given);
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
  const [key] = await world.database.snapshot((queries) => listApiKeys(queries, organization.id));
  assert.deepEqual([key?.requestsByDay, key?.firstUsedAt], [{ "2026-06-15": 3 }, present]);
});

test("keeps the latest minutes of requests that arrive out of order, while they cannot be written", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  const { state, watching } = watched(world);
  const usage = startKeyUsage({ database: watching, log: { warn() {}, debug() {} }, afterMs: never });
  for (let minute = 69; minute >= 0; minute--) {
    usage.note(organization.id, 1, request(present + minute * minuteMs));
  }
  state.fails = true;
  await usage.flush();
  state.fails = false;
  await usage.stop();
  assert.deepEqual(await usageOf(world, organization.id), [
    { "2026-06-15": 60 },
    present,
    present + 69 * minuteMs,
  ]);
});

test("writes a first use and first rows soon, and further uses in the same minute a minute later", async (t) => {
  let writes = 0;
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const transaction = async () => {
    writes += 1;
    return undefined as never;
  };
  const usage = startKeyUsage({ database: { transaction }, log: { warn() {}, debug() {} }, afterMs: 20 });
  const writesAfter = async (ms: number) => {
    t.mock.timers.tick(ms);
    for (let turns = 0; turns < 10; turns++) await nextTurn();
    return writes;
  };
  usage.note(1, 1, request(present));
  assert.deepEqual([await writesAfter(19), await writesAfter(1)], [0, 1]);
  usage.note(1, 1, request(present + 1));
  assert.deepEqual([await writesAfter(59_999), await writesAfter(1)], [1, 2]);
  usage.note(1, 1, request(present + minuteMs));
  assert.deepEqual([await writesAfter(19), await writesAfter(1)], [2, 3]);
  usage.noteRows(1, 1, 5);
  assert.deepEqual([await writesAfter(19), await writesAfter(1)], [3, 4]);
});

test("tries again half a minute after a flush failed", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  const { state, watching } = watched(world);
  state.fails = true;
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const usage = startKeyUsage({ database: watching, log: { warn() {}, debug() {} }, afterMs: 20 });
  usage.note(organization.id, 1, request(present));
  // Another use in the same minute could wait for a minute, but does not delay the first one.
  usage.note(organization.id, 1, request(present + 1));
  const writesAfter = async (ms: number) => {
    t.mock.timers.tick(ms);
    for (let turns = 0; turns < 10; turns++) await nextTurn();
    return state.writes;
  };
  assert.deepEqual([await writesAfter(19), await writesAfter(1)], [0, 1]);
  assert.deepEqual([await writesAfter(29_999), await writesAfter(1)], [1, 2]);
  t.mock.timers.reset();
  state.fails = false;
  await usage.stop();
  assert.deepEqual(await uses(world, organization.id), [present, null]);
});

test("warns once when key usage cannot be written, retries, and drops it when the key is deleted", async (t) => {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
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
  await world.database.transaction((queries) => deleteApiKey(queries, organization.id, 2));
  await usage.stop();
  assert.deepEqual(await uses(world, organization.id), [present + minuteMs]);
});
