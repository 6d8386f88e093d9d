// A SQLite file on a disk where nothing can be written: it is read, and written again as soon as that is possible.

import assert from "node:assert/strict";
import { closeSync, mkdirSync, openSync, rmdirSync, rmSync, writeFileSync, writeSync } from "node:fs";
import test, { type TestContext } from "node:test";
import { readSettings } from "../../../src/config.ts";
import { startServer } from "../../../src/http/server/start.ts";
import { openDatabase, sqlitePath } from "../../../src/storage/open-database.ts";
import { addOrganization, listOrganizations } from "../../../src/storage/organizations/organizations.ts";
import { isUnwritable } from "../../../src/storage/sqlite/failures.ts";
import { campaign, countedCampaign, makeSqliteWorld, present } from "../../support/world.ts";

/** A closed database with a campaign, beside which SQLite cannot create its files, as on a full disk. */
async function blocked(t: TestContext) {
  const world = await makeSqliteWorld(t);
  const { organization, key, ingestKey } = await world.addOrganization();
  await world.save(organization, [campaign({ id: 1 })]);
  await world.register(organization, 2);
  // Events that wait in quarantine are stored as bytes.
  await world.ingest(organization, [
    { id: "e", campaign_id: 9, recipient: "a", type: "open", at: new Date(present).toISOString() },
  ]);
  await world.database.close();
  const path = sqlitePath(world.databaseUrl) as string;
  writeFileSync(`${path}-wal`, "");
  mkdirSync(`${path}-shm`);
  return { url: world.databaseUrl, unblock: () => rmdirSync(`${path}-shm`), organization, key, ingestKey };
}

const add = (name: string) => (queries: Parameters<typeof addOrganization>[0]) =>
  addOrganization(queries, { name, timeZone: "UTC", now: present });

test("a file that cannot be written is read, and written once that is possible", async (t) => {
  const { url, unblock } = await blocked(t);
  const database = await openDatabase(url);
  t.after(() => database.close());
  const namesOf = async () => (await database.snapshot(listOrganizations)).map(({ name }) => name);
  assert.deepEqual(await namesOf(), ["Acme"]);
  const [stored] = await database.query((queries) =>
    queries.selectFrom("quarantine").select("content").execute(),
  );
  assert.ok(Buffer.isBuffer(stored?.content) && stored.content.length > 0);
  await assert.rejects(database.transaction(add("refused")), {
    code: "unavailable",
    message:
      "The database cannot be written now (SQLITE_READONLY); the disk is full or read-only. Nothing was saved; try again.",
  });
  const expected = "The database can only be read (SQLITE_READONLY); its disk is full or read-only.";
  assert.equal(database.writeProblem(), expected);
  unblock();
  await database.transaction(add("stored"));
  assert.equal(database.writeProblem(), undefined);
  assert.deepEqual(await namesOf(), ["Acme", "stored"]);
});

test("a file that is damaged is not said to be on a full disk", async (t) => {
  const world = await makeSqliteWorld(t);
  const file = openSync(sqlitePath(world.databaseUrl) as string, "r+");
  writeSync(file, "no database", 0);
  closeSync(file);
  const message = "The database cannot be written: file is not a database (SQLITE_NOTADB).";
  assert.equal(world.database.writeProblem(), message);
});

test("a file beside which the lock of its writers cannot be created is read", async (t) => {
  const world = await makeSqliteWorld(t);
  await world.addOrganization();
  await world.database.close();
  const turn = `${sqlitePath(world.databaseUrl)}-turn`;
  rmSync(turn);
  mkdirSync(turn);
  const database = await openDatabase(world.databaseUrl);
  t.after(() => database.close());
  assert.equal((await database.snapshot(listOrganizations)).length, 1);
  await assert.rejects(database.transaction(add("refused")), { code: "unavailable" });
  rmdirSync(turn);
  await database.transaction(add("stored"));
  // On a full or read-only disk, creating the file fails with a code of the system.
  for (const code of ["ENOSPC", "EROFS", "EACCES"]) assert.ok(isUnwritable({ code }), code);
});

test("a file that is read without locks shows what another process writes", async (t) => {
  const { url, unblock } = await blocked(t);
  const database = await openDatabase(url);
  t.after(() => database.close());
  assert.equal((await database.snapshot(listOrganizations)).length, 1);
  unblock();
  const other = await openDatabase(url);
  await other.transaction(add("other"));
  await other.close();
  assert.equal((await database.snapshot(listOrganizations)).length, 2);
});

test("serve starts on a disk that cannot be written: it reads, refuses writes with 503, and recovers", async (t) => {
  const { url, unblock, key, ingestKey } = await blocked(t);
  const MONITORING = "127.0.0.1:0";
  const settings = readSettings(
    { DATABASE_URL: url, PORT: "0", REGION: "test", LOG_LEVEL: "silent", MONITORING },
    {},
  );
  const server = await startServer(settings);
  t.after(() => server.stop());
  const ask = async (path: string, bearer = key, body?: unknown) => {
    const answer = await fetch(server.url + path, {
      method: body === undefined ? "GET" : "PUT",
      headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json", connection: "close" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, text: await answer.text() };
  };
  const isReadOnly = async () =>
    /^email_analytics_database_read_only (\d)$/m.exec(
      await (await fetch(server.monitoring ?? "", { headers: { connection: "close" } })).text(),
    )?.[1];
  const countOf = async () =>
    JSON.parse((await ask("/data_api/v1/emails")).text).meta.total_entries as number;
  assert.equal(await countOf(), 2);
  const put = () => ask("/ingest/v1/campaigns/3", ingestKey, countedCampaign(3));
  assert.deepEqual(await put(), {
    status: 503,
    text: JSON.stringify({
      error: "unavailable",
      error_message:
        "The database cannot be written now (SQLITE_READONLY); the disk is full or read-only. Nothing was saved; try again.",
    }),
  });
  assert.deepEqual(await ask("/readyz"), {
    status: 200,
    text: JSON.stringify({
      status: "warn",
      warnings: ["The database can only be read (SQLITE_READONLY); its disk is full or read-only."],
    }),
  });
  assert.equal(await isReadOnly(), "1");
  unblock();
  assert.equal((await put()).status, 201);
  assert.equal(await countOf(), 3);
  assert.deepEqual(await ask("/readyz"), { status: 200, text: '{"status":"ok"}' });
  assert.equal(await isReadOnly(), "0");
});
