// `campaign close`: the numbers become final, and the data they were counted from is deleted.

import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { click, countRows, open, opens } from "../../support/events.ts";
import { exported, file, lines } from "../../support/import-files.ts";
import { pick } from "../../support/pick.ts";
import { start } from "../../support/process.ts";
import { sqliteTest } from "../../support/sqlite-test.ts";
import { placesWith } from "../../support/stored-bytes.ts";
import { campaign, makeAcme, makeSqliteWorld, run, serve, type World } from "../../support/world.ts";

const close = (world: World, id: number, ...options: string[]) =>
  run(world.databaseUrl, [`campaign close --yes --organization 1 --id ${id}`, ...options].join(" "));

const prefetch = { machine: true };

/** Campaign 1: two recipients opened, one of them clicked as well, and an automated open for a third one. */
async function counted(t: TestContext, given: Record<string, unknown> = {}) {
  const { world, organization, key } = await makeAcme(t, { register: { external_id: "weekly", ...given } });
  const clicked = click(4, { recipient: "person-1@example.com" });
  await world.ingest(organization, [...opens(2), open(3, prefetch), clicked]);
  return { world, organization, key };
}

const shown = (record: Record<string, unknown> | undefined) => [
  record?.unique_opens,
  record?.total_opens,
  record?.total_clicks,
  record?.open_rate,
];

for (const tracking_type of ["Individual", "Anonymous", "Overall"]) {
  test(`campaign close keeps the numbers and deletes event IDs, recipients and the secret: ${tracking_type}`, async (t) => {
    const { world, organization, key } = await counted(t, { tracking_type });
    const [ledger] = await world.database.snapshot((queries) =>
      queries.selectFrom("ledgers").selectAll().execute(),
    );
    const secret = ledger?.secret ?? "";
    assert.notDeepEqual(await placesWith(world, secret), []);
    const service = await serve(t, world);
    const before = await service.get("/data_api/v1/emails", { key });
    assert.deepEqual(shown(before.body.emails[0]), [2, 2, 1, 0.02]);

    const closed = await close(world, 1);
    assert.deepEqual(closed.output, [0, "Closed campaign 1. Its numbers are final.\n", ""]);
    assert.equal((await service.get("/data_api/v1/emails", { key })).text, before.text);
    assert.deepEqual(await countRows(world, "ledgers", "event_ids", "recipients"), [0, 0, 0]);
    for (const text of [secret, "person-1@example.com"]) assert.deepEqual(await placesWith(world, text), []);

    const later = [
      open(1),
      open(9),
      click(10, { campaign_id: "weekly" }),
      { campaign_id: 1 },
      open(11, { at: "2026-06-15T09:00:00Z" }),
    ];
    const { problems, ...result } = await world.ingest(organization, later);
    assert.deepEqual(result, { accepted: 0, repeated: 0, quarantined: 0, refused: 0 });
    const expected = later.map((_, index) => [index, "closed"]);
    assert.deepEqual(pick(problems, "index", "reason"), expected);
    assert.equal((await service.get("/data_api/v1/emails", { key })).text, before.text);
  });
}

test("the numbers of a closed campaign stay when the organization changes what it counts", async (t) => {
  const { world, organization, key } = await counted(t);
  await world.register(organization, 2);
  await world.ingest(organization, [open(1, { campaign_id: 2 }), open(2, { campaign_id: 2, ...prefetch })]);
  const service = await serve(t, world);
  const numbers = async () => {
    const { emails } = await service.emails(key);
    return emails.map((record) => [record.id, ...shown(record)]);
  };
  await close(world, 1);
  for (const [count, expected] of [
    ["all", 2],
    ["people", 1],
  ] as const) {
    await run(world.databaseUrl, ["organization", "change", "--organization", "1", "--count", count]);
    assert.deepEqual(await numbers(), [
      [2, expected, expected, 0, expected / 100],
      [1, 2, 2, 1, 0.02],
    ]);
    assert.deepEqual(shown((await exported(world))[1]), [2, 2, 1, 0.02]);
  }
});

test("a closed campaign keeps the numbers that the organization counted when it was closed", async (t) => {
  const { world, key } = await counted(t);
  const count = (traffic: string) =>
    run(world.databaseUrl, ["organization", "change", "--organization", "1", "--count", traffic]);
  await count("all");
  await close(world, 1);
  await count("people");
  const service = await serve(t, world);
  assert.deepEqual(shown((await service.emails(key)).emails[0]), [3, 3, 1, 0.03]);
});

test("campaign close refuses closed, imported and unknown campaigns", async (t) => {
  const { world, organization } = await counted(t);
  await world.save(organization, [campaign({ id: 2 })]);
  const other = await world.addOrganization({ name: "Globex" });
  await world.register(other.organization, 3);
  await close(world, 1);
  const before = await exported(world);
  for (const [id, message] of [
    [1, "campaign 1 is already closed"],
    [2, "campaign 2 cannot be closed: its numbers were imported; imported numbers are already final"],
    [3, "organization 1 has no campaign 3"],
    [9_007_199_254_740_991, "organization 1 has no campaign 9007199254740991"],
  ] as const) {
    const { output } = await close(world, id, "--json");
    assert.deepEqual(output, [1, "", `error: ${message}\n`]);
  }
  assert.deepEqual(await exported(world), before);
  assert.equal((await world.ingest(other.organization, [open(1, { campaign_id: 3 })])).accepted, 1);
});

test("a closed campaign can be deleted and registered again with new numbers", async (t) => {
  const { world, organization, key } = await counted(t);
  assert.deepEqual((await close(world, 1, "--json")).rows, [{ id: 1 }]);
  const argv = ["campaign", "delete", "--organization", "1", "--id", "1", "--yes"];
  assert.equal((await run(world.databaseUrl, argv)).exitCode, 0);
  assert.equal(await world.register(organization, 1, { external_id: "weekly" }), "added");
  assert.equal((await world.ingest(organization, opens(1))).accepted, 1);
  const service = await serve(t, world);
  assert.deepEqual(shown((await service.emails(key)).emails[0]), [1, 1, 0, 0.01]);
});

test("a campaign closed while another process imports its events keeps what was counted until then", async (t) => {
  const { world } = await counted(t);
  const events = Array.from({ length: 40_000 }, (_, index) => open(index + 10));
  const path = file(world, lines(...events), "events.ndjson");
  const argv = ["import", "--events", "--organization", "1", "--json", path];
  const program = start(t, argv, { DATABASE_URL: world.databaseUrl });
  while ((await countRows(world, "event_ids"))[0] === 4) await pause(2);
  assert.equal((await close(world, 1)).exitCode, 0);
  assert.equal(await program.ended, 0);
  const { accepted, problems } = JSON.parse(program.stdout()) as {
    accepted: number;
    problems: { closed?: number };
  };
  assert.equal(accepted + (problems.closed ?? 0), 40_000);
  assert.equal((await exported(world))[0]?.unique_opens, accepted + 2);
  assert.deepEqual(await countRows(world, "ledgers", "event_ids", "recipients"), [0, 0, 0]);
});

/** The size of all database files together. */
function bytesOnDisk(world: World): number {
  const sizes = ["test.db", "test.db-wal"].map((file) => statSync(join(world.folder, file)).size);
  return sizes.reduce((sum, size) => sum + size, 0);
}

sqliteTest("campaign close shrinks the SQLite file by the space the campaign used", async (t) => {
  const world = await makeSqliteWorld(t);
  const { organization } = await world.addOrganization();
  await world.register(organization, 1);
  await world.register(organization, 2);
  await world.ingest(organization, opens(100, { campaign_id: 2 }));
  await world.database.shrink();
  const before = bytesOnDisk(world);
  for (let first = 1; first <= 20_000; first += 5_000) {
    const some = Array.from({ length: 5_000 }, (_, index) => open(first + index));
    assert.equal((await world.ingest(organization, some)).accepted, 5_000);
  }
  await world.database.shrink();
  const full = bytesOnDisk(world);
  assert.ok(full - before > 1_500_000, `20,000 events took ${full - before} bytes`);

  const argv = "campaign close --yes --organization 1 --id 1";
  assert.equal((await run(world.databaseUrl, argv)).exitCode, 0);
  const after = bytesOnDisk(world);
  assert.ok(after - before < 50_000, `${after - before} of ${full - before} bytes are left`);
  assert.equal(statSync(join(world.folder, "test.db-wal")).size, 0);
  assert.deepEqual(await countRows(world, "ledgers", "event_ids", "recipients"), [1, 100, 100]);
  assert.equal((await run(world.databaseUrl, "recount")).exitCode, 0);
});
