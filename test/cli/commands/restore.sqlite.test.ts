// `restore` into a SQLite database that exists.

import assert from "node:assert/strict";
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { nextCampaignId } from "../../../src/storage/campaigns/campaign-ids.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";
import { Scope } from "../../../src/storage/queries/scope.ts";
import { serveOnFreePort, start, urlOf } from "../../support/process.ts";
import { campaign, makeFolder, makeSqliteWorld, run } from "../../support/world.ts";

const replace = ["--replace", "--yes"];

/** A backup, and the database of its world, which has changed since. */
async function changed(t: TestContext) {
  const world = await makeSqliteWorld(t);
  const { organization } = await world.addOrganization();
  await world.save(organization, [campaign({ id: 1 })]);
  const file = join(makeFolder(t), "backup.db");
  assert.equal((await run(world.databaseUrl, ["backup", file])).exitCode, 0);
  await world.save(organization, [campaign({ id: 2, tags: ["Lost"] })]);
  const ids = async () => {
    const { stdout } = await run(world.databaseUrl, "export --organization 1");
    return [...stdout.matchAll(/"id":(\d+)/g)].map(([, id]) => Number(id));
  };
  return { world, file, path: world.databaseUrl.slice("sqlite:".length), ids };
}

test("restore refuses a database that exists, and replaces it with --replace --yes", async (t) => {
  const { world, file, path, ids } = await changed(t);
  await world.database.close();
  const refused = await run(world.databaseUrl, ["restore", file]);
  const expected = [1, `error: ${path} exists; to replace all of its data, add --replace --yes\n`];
  assert.deepEqual([refused.exitCode, refused.stderr], expected);
  assert.deepEqual(await ids(), [2, 1]);
  assert.equal((await run(world.databaseUrl, ["restore", file, ...replace])).exitCode, 0);
  assert.deepEqual(await ids(), [1]);
  // Messages of campaign 2 and filters of its tag may be around.
  const { rows } = await run(world.databaseUrl, "tag add --organization 1 --name A --json");
  assert.equal(rows[0]?.id, 1001);
  const restored = await openDatabase(world.databaseUrl);
  assert.equal(await restored.transaction((queries) => nextCampaignId(new Scope(queries, 1))), 1002);
  await restored.close();
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(join(path, "..")).sort(), ["test.db", "test.db-turn"]);
});

test("restore refuses a database that is served, and leaves it as it is", async (t) => {
  const { world, file, path, ids } = await changed(t);
  await world.database.close();
  const server = start(t, serveOnFreePort, { DATABASE_URL: world.databaseUrl });
  const url = await urlOf(server);
  const { exitCode, stderr } = await run(world.databaseUrl, ["restore", file, ...replace]);
  const expected = [1, `error: a process has ${path} open; stop "serve" and all commands first\n`];
  assert.deepEqual([exitCode, stderr], expected);
  assert.deepEqual(await ids(), [2, 1]);
  const found = readdirSync(join(path, "..")).filter((name) => name.includes(".part"));
  assert.deepEqual(found, []);
  assert.equal((await fetch(`${url}/readyz`)).status, 200);
  assert.equal(await server.stop(), 0);
  assert.equal((await run(world.databaseUrl, ["restore", file, ...replace])).exitCode, 0);
  assert.deepEqual(await ids(), [1]);
});

test("restore replaces a database that is damaged, with its log", async (t) => {
  const { world, file, path, ids } = await changed(t);
  await world.database.close();
  writeFileSync(path, "damaged");
  writeFileSync(`${path}-wal`, "log of the damaged database");
  assert.equal((await run(world.databaseUrl, ["restore", file, ...replace])).exitCode, 0);
  assert.deepEqual(await ids(), [1]);
  assert.equal(existsSync(`${path}-wal`), false);
});
