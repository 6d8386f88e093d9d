// `rehearse`: the same answers, planted differences, proofs of backups, and that it leaves nothing behind.

import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import test, { type TestContext } from "node:test";
import Sqlite from "better-sqlite3";
import { sqlitePath } from "../../../src/storage/open-database.ts";
import { findBackupTimes, saveBackupTime } from "../../../src/storage/organizations/leases.ts";
import { open } from "../../support/events.ts";
import { campaign, makeAcme, makeFolder, present, region, run, serve } from "../../support/world.ts";

const PUBLIC_URL = "https://analytics.example.com";

test("rehearse finds no difference between a service and a copy of its database, and leaves no file", async (t) => {
  const { world, organization, key } = await makeAcme(t);
  await world.save(organization, [campaign({ id: 1, tags: ["a"] }), campaign({ id: 2 })]);
  const { url } = await serve(t, world, { publicUrl: () => PUBLIC_URL });
  const environment = { DATABASE_URL: world.databaseUrl, REGION: region, PUBLIC_URL };
  const files = () => readdirSync(dirname(sqlitePath(world.databaseUrl) ?? "")).toSorted();
  const before = files();
  const argv = ["rehearse", "--key", "-", "--url", url, "--json"];
  const { exitCode, rows, stderr } = await run(world.databaseUrl, argv, { environment, stdin: `${key}\n` });
  assert.deepEqual([exitCode, stderr], [0, ""]);
  const [{ asked, different }] = rows as [{ asked: number; different: string[] }];
  assert.deepEqual([asked, different], [13, []]);
  assert.deepEqual(files(), before);
});

/** Two campaigns, of which the second is counted from two opens, served as `key` reads it, and a backup of them. */
async function backedUp(t: TestContext) {
  const { world, organization, key } = await makeAcme(t);
  await world.save(organization, [campaign({ id: 1, subject: "Before", tags: ["Newsletter"] })]);
  await world.register(organization, 2);
  await world.ingest(organization, [open(1, { campaign_id: 2 }), open(2, { campaign_id: 2 })]);
  const { url } = await serve(t, world, { publicUrl: () => PUBLIC_URL });
  const backup = join(makeFolder(t), "backup.db");
  assert.equal((await run(world.databaseUrl, ["backup", backup])).exitCode, 0);
  const rehearse = async (...argv: string[]) => {
    const { exitCode, rows, stderr } = await run(world.databaseUrl, ["rehearse", backup, "--json", ...argv], {
      environment: { DATABASE_URL: world.databaseUrl, REGION: region, PUBLIC_URL },
      stdin: key,
    });
    const [row] = rows as { asked: number; different: string[] }[];
    return { exitCode, row, stderr };
  };
  return { world, backup, rehearse, compared: () => rehearse("--key", "-", "--url", url) };
}

const feeds = ["emails.csv", "emails.ndjson", "emails.parquet"].map((file) => `/data_api/v1/${file}`);

/** What a faulty migration does to a database, and what `rehearse` says of it. */
const faults: Record<string, [statements: string, different: string[] | RegExp]> = {
  "a number changed in the tallies": [
    `update campaigns set tallies = replace(tallies, '2', '3') where id = 2`,
    /the numbers of organization 1, campaign 2 do not match its recipients/,
  ],
  "a campaign is lost": [
    "delete from emails where id = 1",
    ["/data_api/v1/emails?per_page=100&page=1", ...feeds, "/odata/v1/emails"],
  ],
  "a tag has another name": [
    "update emails set tags = replace(tags, 'Newsletter', 'News')",
    [...feeds, "/odata/v1/emails"],
  ],
  "the key lost its right": [
    "update api_keys set scope = 'ingest'",
    ["/data_api/v1/emails?per_page=100&page=1"],
  ],
  "a feed fails": ["alter table released_groups rename to gone", ["/odata/v1/email_groups"]],
};

for (const [name, [statements, expected]] of Object.entries(faults)) {
  test(`rehearse finds that ${name}`, async (t) => {
    const { backup, compared } = await backedUp(t);
    assert.deepEqual((await compared()).row?.different, []);
    const sqlite = new Sqlite(backup);
    sqlite.exec(statements);
    sqlite.close();
    const { exitCode, row, stderr } = await compared();
    assert.equal(exitCode, 1);
    if (expected instanceof RegExp) assert.match(stderr, expected);
    else for (const path of expected) assert.ok(row?.different.includes(path), `${path}: ${row?.different}`);
  });
}

test("rehearse proves a backup without a key, saves when, and finds what fails in it", async (t) => {
  const { world, backup, rehearse } = await backedUp(t);
  const provedAt = () => world.database.query((queries) => findBackupTimes(queries, "restore_test"));
  assert.equal(await provedAt(), undefined);
  const { exitCode, row, stderr } = await rehearse();
  assert.deepEqual([exitCode, stderr, row?.asked, row?.different], [0, "", 13, []]);
  assert.equal((await provedAt())?.madeAt, present);
  const sqlite = new Sqlite(backup);
  sqlite.exec("alter table released_groups rename to gone");
  sqlite.close();
  await world.database.transaction((queries) => saveBackupTime(queries, 1, "restore_test"));
  const failing = ["csv", "ndjson", "parquet"].map((format) => `/data_api/v1/email_groups.${format}`);
  assert.deepEqual((await rehearse()).row?.different, [...failing, "/odata/v1/email_groups"]);
  assert.equal((await provedAt())?.madeAt, 1);
});

test("rehearse proves a backup on a machine without a database, and adds none", async (t) => {
  const { backup } = await backedUp(t);
  const databaseUrl = `sqlite:${join(makeFolder(t), "none.db")}`;
  const { exitCode, stderr } = await run(databaseUrl, ["rehearse", backup], {
    environment: { DATABASE_URL: databaseUrl, REGION: region, PUBLIC_URL },
  });
  assert.deepEqual([exitCode, stderr], [0, ""]);
  assert.equal(existsSync(sqlitePath(databaseUrl) ?? ""), false);
});

test("rehearse deletes the copy that a killed run left", async (t) => {
  const { backup, rehearse } = await backedUp(t);
  const left = join(dirname(backup), ".email-analytics-rehearsal");
  mkdirSync(left);
  writeFileSync(join(left, "copy.db-wal"), "of a killed run");
  assert.equal((await rehearse()).exitCode, 0);
  assert.deepEqual(readdirSync(dirname(backup)), ["backup.db"]);
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
    /^\d error: http:\/\/127\.0\.0\.1:1\/data_api\/v1\/emails: no answer: /,
  );
  const { stderr } = await run(world.databaseUrl, ["rehearse"]);
  assert.match(stderr, /pass --key - to compare with the running service, or a BACKUP to prove/);
  assert.match(await rehearse(key, url, ""), /^2 error: --key: the process list would show the key/);
});
