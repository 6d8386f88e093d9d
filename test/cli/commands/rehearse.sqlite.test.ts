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
  const argv = ["rehearse", "--key", "-", "--url", url, "--json"];
  const { exitCode, rows, stderr } = await run(world.databaseUrl, argv, { environment, stdin: `${key}\n` });
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
  const argv = ["rehearse", backup, "--key", "-", "--url", url, "--json"];
  const { exitCode, rows } = await run(world.databaseUrl, argv, { stdin: key });
  assert.equal(exitCode, 1);
  const [{ different }] = rows as [{ different: string[] }];
  assert.ok(different.includes("/data_api/v1/emails.csv"), different.join());
});

test("rehearse says what is wrong with the key or the URL, and takes no key from the command line", async (t) => {
  const { world, key } = await makeAcme(t);
  const { url } = await serve(t, world);
  const rehearse = async (option: string, base: string, stdin: string) => {
    const argv = ["rehearse", "--key", option, "--url", base];
    const { exitCode, stderr } = await run(world.databaseUrl, argv, { stdin });
    return `${exitCode} ${stderr}`;
  };
  assert.match(await rehearse("-", url, "no-key"), /^2 .*emails: 401 \{"error":/);
  assert.match(
    await rehearse("-", "http://127.0.0.1:1", key),
    /^\d error: http:\/\/127\.0\.0\.1:1 does not answer/,
  );
  assert.match(await rehearse(key, url, ""), /^2 error: --key: the process list would show the key/);
});
