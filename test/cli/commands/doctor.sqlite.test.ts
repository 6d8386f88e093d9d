// `doctor` finds what is wrong with the files of a SQLite database.

import assert from "node:assert/strict";
import { chmodSync, mkdirSync, truncateSync, writeFileSync } from "node:fs";
import test, { type TestContext } from "node:test";
import { findingsOf } from "../../support/doctor.ts";
import { pick } from "../../support/pick.ts";
import { makeSqliteWorld, run } from "../../support/world.ts";

async function filesOf(t: TestContext) {
  const world = await makeSqliteWorld(t);
  await world.addOrganization();
  const path = world.databaseUrl.slice("sqlite:".length);
  const found = async () => {
    const findings = await findingsOf(world.databaseUrl);
    return findings.filter(([check]) => !["public_url", "backup"].includes(check));
  };
  return { world, path, found };
}

test("doctor finds a database that other users may read", async (t) => {
  const { path, found } = await filesOf(t);
  assert.deepEqual(await found(), []);
  chmodSync(path, 0o640);
  const message = `Other users may read ${path}, with secrets and personal data. Run: chmod 600 ${path}`;
  assert.deepEqual(await found(), [["permissions", "problem", message]]);
});

test("doctor finds a write-ahead log that no longer shrinks", async (t) => {
  const { path, found } = await filesOf(t);
  truncateSync(`${path}-wal`, 300e6);
  assert.deepEqual(await found(), [
    ["disk", "warning", "The -wal file has 300.0 MB. A process has been reading for long: restart it."],
  ]);
});

test("doctor finds a database that cannot be written", async (t) => {
  const { world, path, found } = await filesOf(t);
  await world.database.close();
  writeFileSync(`${path}-wal`, "");
  mkdirSync(`${path}-shm`, { mode: 0o700 });
  const message =
    "The database can only be read (SQLITE_READONLY); its disk is full or read-only. Free space, or let this user write.";
  assert.deepEqual(await found(), [["database", "problem", message]]);
});

test("doctor prints no ✓ for a check that found something", async (t) => {
  const { world, path } = await filesOf(t);
  truncateSync(`${path}-wal`, 300e6);
  const { rows } = await run(world.databaseUrl, "doctor --json");
  const found = rows.filter(({ check }) => check === "disk");
  assert.deepEqual(pick(found, "status"), ["warning"]);
});
