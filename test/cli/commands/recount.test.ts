// `recount` reports numbers that have drifted, and repairs them with --repair.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { click, countRows, open, opens, tamper, tamperWithTally } from "../../support/events.ts";
import { file, lines } from "../../support/import-files.ts";
import { pick } from "../../support/pick.ts";
import { start } from "../../support/process.ts";
import { sqliteTest } from "../../support/sqlite-test.ts";
import { campaign, makeAcme, makeSqliteWorld, present, run, serve, type World } from "../../support/world.ts";

const recount = (world: World, ...options: string[]) => run(world.databaseUrl, ["recount", ...options]);

/** Campaigns 1 and 2 with 3 and 2 opens; one recipient of campaign 1 clicked as well. */
async function counted(t: TestContext) {
  const { world, organization, key } = await makeAcme(t, { register: {} });
  await world.register(organization, 2);
  await world.ingest(organization, [...opens(3), click(4, { recipient: "person-1@example.com" })]);
  await world.ingest(organization, opens(2, { campaign_id: 2 }));
  return { world, organization, key };
}

test("recount exits 0 when all numbers are correct", async (t) => {
  const { world } = await counted(t);
  const result = await recount(world);
  assert.deepEqual(result.output, [0, "", "Recounted 2 campaigns: all numbers are correct.\n"]);
  const json = await recount(world, "--json");
  assert.deepEqual(json.output, [0, "", ""]);
});

test("recount prints drifted numbers, exits 1 and does not change them", async (t) => {
  const { world, key } = await counted(t);
  const service = await serve(t, world);
  const before = await service.get("/data_api/v1/emails", { key });
  await tamperWithTally(world, { tally: "people", name: "totalOpens", value: 7, campaign: 2 });
  await tamperWithTally(world, { tally: "all", name: "uniqueClicks", value: 0, campaign: 1 });
  for (const _ of ["first", "again"]) {
    const { exitCode, rows, stderr } = await recount(world, "--json");
    assert.deepEqual([exitCode, stderr], [1, ""]);
    assert.deepEqual(rows, [
      { organization: 1, campaign: 1, counted: "all", number: "uniqueClicks", stored: 0, recounted: 1 },
      { organization: 1, campaign: 2, counted: "people", number: "totalOpens", stored: 7, recounted: 2 },
    ]);
  }
  const result = await recount(world);
  assert.equal(result.exitCode, 1);
  assert.equal(
    result.stdout,
    [
      "organization  campaign  counted  number        stored  recounted",
      "1             1         all      uniqueClicks  0       1",
      "1             2         people   totalOpens    7       2",
      "",
    ].join("\n"),
  );
  const message = 'Recounted 2 campaigns: 2 numbers wrong; run "email-analytics recount --repair".\n';
  assert.equal(result.stderr, message);
  const after = await service.get("/data_api/v1/emails", { key });
  assert.equal(after.text, before.text);
});

test("recount --repair corrects drifted numbers, and the next response shows them", async (t) => {
  const { world, organization, key } = await counted(t);
  const service = await serve(t, world);
  await tamperWithTally(world, { tally: "people", name: "totalOpens", value: 7, campaign: 2 });
  // The next event publishes the wrong number.
  await world.ingest(organization, [open(3, { campaign_id: 2 })]);
  const wrong = await service.get("/data_api/v1/emails", { key });
  assert.equal(wrong.body.emails[0]?.total_opens, 8);

  const repaired = await recount(world, "--repair");
  assert.deepEqual([repaired.exitCode, repaired.stderr], [0, "Recounted 2 campaigns: 1 number repaired.\n"]);
  const right = await service.get("/data_api/v1/emails", { key });
  assert.deepEqual([right.body.emails[0]?.id, right.body.emails[0]?.total_opens], [2, 3]);
  assert.notEqual(right.headers.get("etag"), wrong.headers.get("etag"));
  assert.equal((await recount(world)).exitCode, 0);
});

test("recount finds a missing recipient and a recipient with wrong counts", async (t) => {
  const { world } = await counted(t);
  await tamper(world, "delete from recipients where name = 'person-3@example.com'");
  await tamper(
    world,
    `update recipients set state = '{"moreOpens":{"person mobile":5}}' where name = 'person-2@example.com'`,
  );
  const { exitCode, rows } = await recount(world, "--json");
  assert.equal(exitCode, 1);
  const people = rows.filter(({ counted }) => counted === "people");
  assert.deepEqual(pick(people, "campaign", "number", "stored", "recounted"), [
    [1, "uniqueOpens", 3, 2],
    [1, "totalOpens", 3, 6],
    [1, "mobileOpens", 0, 5],
    [1, "opensByAge 1", 3, 1],
    [2, "totalOpens", 2, 6],
    [2, "mobileOpens", 0, 5],
    [2, "opensByAge 1", 2, 1],
  ]);
  assert.equal(rows.length, 14, "both kinds of traffic have drifted");
});

test("recount --organization recounts and repairs only the campaigns of that organization", async (t) => {
  const { world } = await counted(t);
  const other = await world.addOrganization({ name: "Globex" });
  await world.register(other.organization, 1);
  await world.ingest(other.organization, opens(1));
  await tamperWithTally(world, { tally: "people", name: "totalOpens", value: 9 });
  const only = await recount(world, "--json", "--organization", "2");
  assert.deepEqual(pick(only.rows, "organization", "campaign"), [[2, 1]]);
  assert.equal((await recount(world, "--repair", "--organization", "2")).exitCode, 0);
  const all = await recount(world, "--json");
  assert.deepEqual([all.exitCode, all.rows.map(({ organization }) => organization)], [1, [1, 1]]);
});

sqliteTest("recount skips imported and closed campaigns", async (t) => {
  const { world, organization } = await counted(t);
  await world.save(organization, [campaign({ id: 7 })]);
  await run(world.databaseUrl, "campaign close --yes --organization 1 --id 1");
  const result = await recount(world);
  assert.deepEqual([result.exitCode, result.stderr], [0, "Recounted 1 campaign: all numbers are correct.\n"]);
});

test("recount reads more recipients than fit into a batch", async (t) => {
  const { world, organization } = await counted(t);
  const events = Array.from({ length: 4_001 }, (_, index) => open(index + 10, { campaign_id: 2 }));
  await world.ingest(organization, events);
  assert.equal((await recount(world)).exitCode, 0);
  await tamperWithTally(world, { tally: "people", name: "totalOpens", value: 0, campaign: 2 });
  const [drift] = (await recount(world, "--json")).rows;
  assert.deepEqual([drift?.stored, drift?.recounted], [0, 4_003]);
});

test("recount finds no drift while another process imports events", async (t) => {
  const { world } = await counted(t);
  const events = Array.from({ length: 8_000 }, (_, index) =>
    (index % 3 ? open : click)(index + 10, { recipient: `person-${index % 2_000}@example.com` }),
  );
  const path = file(world, lines(...events), "events.ndjson");
  const argv = ["import", "--events", "--organization", "1", path];
  const program = start(t, argv, { DATABASE_URL: world.databaseUrl });
  while (!program.isOver()) {
    const { exitCode, stdout } = await recount(world, "--json");
    assert.deepEqual([exitCode, stdout], [0, ""]);
    await pause(20);
  }
  assert.equal(await program.ended, 0);
  assert.equal((await recount(world, "--repair")).exitCode, 0);
  assert.deepEqual(await countRows(world, "event_ids"), [8_006]);
});

sqliteTest("recount names an unreadable campaign and still recounts the others", async (t) => {
  const { world, organization } = await makeAcme(t);
  for (const id of [1, 2, 3]) {
    await world.register(organization, id);
    await world.ingest(organization, [open(1, { campaign_id: id }), open(2, { campaign_id: id })]);
  }
  await tamper(world, "update recipients set state = '{bad' where ledger_id = 1");
  // Still JSON: a flipped bit in the name of a reason.
  await tamper(
    world,
    "update recipients set state = replace(state, 'person', 'qerson') where ledger_id = 3 and name like 'person-2%'",
  );
  await tamper(
    world,
    "update campaigns set tallies = replace(tallies, '\"uniqueOpens\":2', '\"uniqueOpens\":5') where id = 2",
  );
  const { exitCode, rows, stderr } = await run(world.databaseUrl, "recount --json");
  assert.deepEqual([exitCode, rows.length, rows[0]?.campaign], [1, 2, 2]);
  assert.equal(
    stderr,
    [
      "error: organization 1, campaign 1: recipient 1 by name is unreadable; the database is damaged\n",
      "error: organization 1, campaign 3: recipient 2 by name is unreadable; the database is damaged\n",
    ].join(""),
  );
});

// Deletes it from the clock, which `recount` reads before each campaign.
sqliteTest("recount goes on with the other organizations when one is deleted", async (t) => {
  const world = await makeSqliteWorld(t);
  for (const name of ["Acme", "Globex"]) {
    const { organization } = await world.addOrganization({ name });
    await world.register(organization, 1);
    await world.ingest(organization, opens(3));
  }
  await tamperWithTally(world, { tally: "people", name: "totalOpens", value: 7 });
  const now = () => {
    const file = new Sqlite(world.databaseUrl.slice("sqlite:".length));
    file.exec("delete from organizations where id = 1");
    file.close();
    return present;
  };
  const { exitCode, stderr, rows } = await run(world.databaseUrl, "recount --json", { now });
  assert.deepEqual([exitCode, stderr], [1, ""]);
  assert.deepEqual(rows, [
    { organization: 2, campaign: 1, counted: "people", number: "totalOpens", stored: 7, recounted: 3 },
  ]);
});
