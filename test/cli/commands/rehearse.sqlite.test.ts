// `rehearse`: the same answers, planted differences, and that it changes nothing.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import test from "node:test";
import Sqlite from "better-sqlite3";
import { sqlitePath } from "../../../src/storage/open-database.ts";
import { campaign, makeAcme, makeFolder, region, run, serve } from "../../support/world.ts";

test("rehearse finds no difference between a service and a copy of its database, and leaves no file", async (t) => {
  const { world, organization, key } = await makeAcme(t);
  await world.save(organization, [campaign({ id: 1, tags: ["a"] }), campaign({ id: 2 })]);
  const PUBLIC_URL = "https://analytics.example.com";
  const { url } = await serve(t, world, { publicUrl: () => PUBLIC_URL });
  const environment = { DATABASE_URL: world.databaseUrl, REGION: region, PUBLIC_URL };
  const files = () => readdirSync(dirname(sqlitePath(world.databaseUrl) ?? "")).toSorted();
  const before = files();
  const argv = ["rehearse", "--key", key, "--url", url, "--json"];
  const { exitCode, rows, stderr } = await run(world.databaseUrl, argv, { environment });
  assert.deepEqual([exitCode, stderr], [0, ""]);
  const [{ asked, different }] = rows as [{ asked: number; different: string[] }];
  assert.deepEqual([asked, different], [9, []]);
  assert.deepEqual(files(), before);
});

test("rehearse names the answers that differ, with a backup too", async (t) => {
  const { world, organization, key } = await makeAcme(t);
  await world.save(organization, [campaign({ id: 1, subject: "Before" })]);
  const { url } = await serve(t, world);
  const backup = join(makeFolder(t), "backup.db");
  assert.equal((await run(world.databaseUrl, ["backup", backup])).exitCode, 0);
  // As if this version read a subject in another way: the JSON of v1 and the typed table.
  const sqlite = new Sqlite(backup);
  for (const { name } of sqlite.pragma("table_info(emails)") as { name: string }[]) {
    sqlite.exec(
      `update emails set "${name}" = replace("${name}", 'Before', 'After!') where typeof("${name}") = 'text'`,
    );
  }
  sqlite.close();
  const { exitCode, rows } = await run(world.databaseUrl, [
    "rehearse",
    backup,
    "--key",
    key,
    "--url",
    url,
    "--json",
  ]);
  assert.equal(exitCode, 1);
  const [{ different }] = rows as [{ different: string[] }];
  assert.ok(different.includes("/data_api/v1/emails.csv"), different.join());
});

test("rehearse says what is wrong with the key", async (t) => {
  const { world } = await makeAcme(t);
  const { url } = await serve(t, world);
  const { exitCode, stderr } = await run(world.databaseUrl, ["rehearse", "--key", "no-key", "--url", url]);
  assert.equal(exitCode, 2);
  assert.match(stderr, /emails: 401 \{"error":/);
});
