// `backup` and `restore`.

import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { openDatabase, sqlitePath } from "../../../src/storage/open-database.ts";
import { listOrganizations } from "../../../src/storage/organizations/organizations.ts";
import { damageOf } from "../../support/doctor.ts";
import { opens } from "../../support/events.ts";
import { sqliteTest } from "../../support/sqlite-test.ts";
import {
  campaign,
  makeAcme,
  makeDatabase,
  makeFolder,
  makeWorld,
  makeWorldOn,
  run,
} from "../../support/world.ts";

/** An organization with a reported and a counted campaign, and a file for its backup. */
async function filled(t: TestContext) {
  const { world, organization, key } = await makeAcme(t);
  await world.save(organization, [campaign({ id: 1, tags: ["a"] })]);
  await world.register(organization, 2);
  await world.ingest(organization, opens(3, { campaign_id: 2 }));
  return { world, organization, key, file: join(makeFolder(t), "backup.db") };
}

const exportOf = async (databaseUrl: string) => (await run(databaseUrl, "export --organization 1")).stdout;

test("backup writes a file that only its owner may read, and restore makes it the database", async (t) => {
  const { world, organization, file } = await filled(t);
  const saved = await exportOf(world.databaseUrl);
  const backup = await run(world.databaseUrl, ["backup", file, "--json"]);
  assert.deepEqual([backup.exitCode, backup.stderr], [0, ""]);
  const { size, mode } = statSync(file);
  assert.deepEqual(backup.rows, [{ file, bytes: size, recounted: 1 }]);
  assert.equal(mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(join(file, "..")), ["backup.db"]);
  await world.save(organization, [campaign({ id: 3 })]);

  const restored = await makeDatabase(t, { isEmpty: true });
  const result = await run(restored, ["restore", file]);
  const message = "Restored 1 organization. Clients that read changes start again.\n";
  assert.deepEqual([result.exitCode, result.stdout], [0, message], result.stderr);
  assert.match(result.stderr, /^Delete keys, users and sources again that were deleted since the backup, /);
  assert.equal(await exportOf(restored), saved);
  assert.deepEqual(await damageOf(restored), []);
  assert.deepEqual(readdirSync(join(file, "..")), ["backup.db"]);
  const path = sqlitePath(restored);
  if (path) assert.equal(statSync(path).mode & 0o777, 0o600);
});

test("restore starts a new history, so that cursors are refused and every record counts as changed", async (t) => {
  const { world, file } = await filled(t);
  const [before] = await world.database.snapshot(listOrganizations);
  await run(world.databaseUrl, ["backup", file]);
  const url = await makeDatabase(t, { isEmpty: true });
  assert.deepEqual((await run(url, ["restore", file, "--json"])).rows, [{ organizations: 1 }]);
  const restored = await makeWorldOn(t, url);
  const [after] = await restored.database.snapshot(listOrganizations);
  assert.ok(before && after);
  assert.notEqual(after.historyId, before.historyId);
  assert.ok(after.revision > before.revision);
});

test("restore --already starts a new history of every organization", async (t) => {
  const { world } = await filled(t);
  await world.addOrganization({ name: "Globex" });
  const histories = async () =>
    (await world.database.snapshot(listOrganizations)).map(({ historyId }) => historyId);
  const before = await histories();
  const { exitCode, rows } = await run(world.databaseUrl, "restore --already --json");
  assert.deepEqual([exitCode, rows], [0, [{ organizations: 2 }]]);
  assert.equal(new Set([...before, ...(await histories())]).size, 4);
});

sqliteTest("backup refuses a file that exists, and replaces it with --replace", async (t) => {
  const { world, file } = await filled(t);
  writeFileSync(file, "precious", { mode: 0o644 });
  const refused = await run(world.databaseUrl, ["backup", file]);
  const message = `error: ${file} exists already; choose another name, or add --replace\n`;
  assert.deepEqual(refused.output, [1, "", message]);
  assert.equal(readFileSync(file, "utf8"), "precious");
  assert.equal((await run(world.databaseUrl, ["backup", file, "--replace"])).exitCode, 0);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(join(file, "..")), ["backup.db"]);
});

sqliteTest("restore refuses files that are no backups, and leaves the database as it is", async (t) => {
  const { world, file } = await filled(t);
  await run(world.databaseUrl, ["backup", file]);
  const target = await makeDatabase(t, { isEmpty: true });
  const refuses = async (path: string, message: RegExp) => {
    const { exitCode, stdout, stderr } = await run(target, ["restore", path]);
    assert.deepEqual([exitCode, stdout], [1, ""]);
    assert.match(stderr, message);
  };
  const other = join(file, "../other.db");
  await refuses(other, /^error: the file .*other\.db does not exist\n$/);
  writeFileSync(other, "not a database");
  await refuses(other, /other\.db is not a usable backup: file is not a database\n$/);
  writeFileSync(other, "");
  await refuses(other, /other\.db is not a usable backup: it is not a database of email-analytics\n$/);
  const bytes = readFileSync(file);
  writeFileSync(other, bytes.subarray(0, bytes.length - 8_192));
  await refuses(other, /other\.db is not a usable backup: .+\n$/);
  const damaged = Buffer.from(bytes);
  damaged.fill(1, 3 * 8_192, 40 * 8_192);
  writeFileSync(other, damaged);
  await refuses(other, /other\.db is not a usable backup: .+\n$/);
  writeFileSync(other, bytes);
  const open = await openDatabase(`sqlite:${other}`);
  await refuses(other, /a process has .*other\.db open; stop "serve" and all commands first\n$/);
  await open.close();
  assert.deepEqual((await run(target, "organization list --json")).rows, []);
  // As a killed restore leaves it beside a backup that it was reading.
  writeFileSync(`${other}-wal`, "");
  assert.equal((await run(target, ["restore", other])).exitCode, 0);
  assert.equal((await run(target, "organization list --json")).rows.length, 1);
  // Files of another database would become part of the backup.
  const stray = join(file, "../stray.db");
  writeFileSync(`${stray}-wal`, "");
  const backedUp = await run(target, ["backup", stray]);
  assert.equal(backedUp.exitCode, 1);
  assert.match(backedUp.stderr, /stray\.db-wal are of a database that is gone; delete them\n$/);
});

sqliteTest("backup and restore need a file or --already, and restore --replace needs --yes", async (t) => {
  const { databaseUrl } = await makeWorld(t);
  for (const [argv, message] of [
    [["backup"], "pass either FILE or --already"],
    [["backup", "x.db", "--already"], "pass either FILE or --already"],
    [["restore"], "pass either FILE or --already"],
    [["restore", "x.db", "--replace"], "this deletes all data of the present database; add --yes to confirm"],
  ] as const) {
    const { output } = await run(databaseUrl, [...argv]);
    assert.deepEqual(output, [2, "", `error: ${message}\n`]);
  }
});
