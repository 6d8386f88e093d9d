// `recipient forget`: no number changes, and no trace of the recipient remains.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { putDirectory, saveList } from "../../../support/audience.ts";
import { click, countRows, open, opens } from "../../../support/events.ts";
import { pick } from "../../../support/pick.ts";
import { sqliteTest } from "../../../support/sqlite-test.ts";
import { placesWith } from "../../../support/stored-bytes.ts";
import { makeAcme, makeSqliteWorld, run, serve, type World } from "../../../support/world.ts";

const ann = "ann@example.com";

const forget = (world: World, address: string, organization = 1) =>
  run(world.databaseUrl, [
    "recipient",
    "forget",
    "--yes",
    "--json",
    "--organization",
    `${organization}`,
    address,
  ]);

const recount = async (world: World) => (await run(world.databaseUrl, "recount")).exitCode;

/** Events of every type, with comments of the recipient. */
const everything = (recipient: string, more: Record<string, unknown> = {}) => {
  const survey = { recipient, type: "survey", survey_id: "s-1", ...more };
  return [
    open(1001, { recipient, ...more }),
    click(1002, { recipient, ...more }),
    open(1003, { recipient, type: "read", seconds: 12, ...more }),
    open(1004, { ...survey, kind: "enps", score: 9, comment: "My name is Rumpelstiltskin" }),
    open(1005, { ...survey, kind: "pulse", answer: "Ask for Rapunzel", comment: "Signed: Sleeping Beauty" }),
  ];
};

async function counted(t: TestContext, given: Record<string, unknown> = {}) {
  const { world, organization, key } = await makeAcme(t, { register: given });
  await world.ingest(organization, [...opens(3), ...everything(ann)]);
  return { world, organization, key };
}

for (const tracking_type of ["Individual", "Anonymous"]) {
  test(`recipient forget changes no number, and later events are ignored: ${tracking_type}`, async (t) => {
    const { world, organization, key } = await counted(t, { tracking_type });
    const service = await serve(t, world);
    const before = await service.emails(key);
    const { unique_opens, total_clicks, enps_comments_count, survey_reactions_comments_count } =
      before.emails[0] ?? {};
    assert.deepEqual(
      [unique_opens, total_clicks, enps_comments_count, survey_reactions_comments_count],
      // Without names, answers wait for others.
      tracking_type === "Individual" ? [4, 1, 1, 1] : [4, 1, 0, 0],
    );

    const { exitCode, rows, stderr } = await forget(world, ann);
    const expected = [0, [{ campaigns: [1], quarantined: 0, directory: false, is_gone: true }], ""];
    assert.deepEqual([exitCode, rows, stderr], expected);
    assert.deepEqual(await service.emails(key), before);
    assert.equal(await recount(world), 0);

    const later = [open(2001, { recipient: ann }), click(2002, { recipient: " ANN@Example.com " }), open(9)];
    const { accepted, repeated, quarantined, problems } = await world.ingest(organization, later);
    assert.deepEqual([accepted, repeated, quarantined], [1, 0, 0]);
    assert.deepEqual(pick(problems, "index", "reason"), [
      [0, "forgotten"],
      [1, "forgotten"],
    ]);
    assert.equal((await service.emails(key)).emails[0]?.total_clicks, 1);
    // Events that were counted before are still deduplicated.
    assert.equal((await world.ingest(organization, everything(ann))).repeated, 5);
    assert.equal(await recount(world), 0);
  });
}

sqliteTest("no address and no comment of a forgotten recipient is in the database files", async (t) => {
  const { world, organization } = await counted(t);
  const words = [ann, "Rumpelstiltskin", "Rapunzel", "Sleeping Beauty"];
  for (const each of words) assert.notDeepEqual(await placesWith(world, each), [], each);
  await forget(world, ann);
  for (const each of words) assert.deepEqual(await placesWith(world, each), [], each);
  // Ignored events do not store them again.
  const more = everything(ann).map((event) => ({ ...event, id: `again ${event.id}` }));
  await world.ingest(organization, more);
  for (const each of words) assert.deepEqual(await placesWith(world, each), [], each);
});

test("hashes of a person differ in each campaign and in the directory, and forgetting leaves none of them", async (t) => {
  const { world, organization } = await makeAcme(t);
  const ann = "person-1@example.com";
  await putDirectory(world, organization, { [ann]: { Site: "Paris" } });
  for (const [id, tracking_type] of [
    [1, "Anonymous"],
    [2, "Anonymous"],
    [3, "Individual"],
  ] as const) {
    await world.register(organization, id, { tracking_type });
    await saveList(world, organization, id, [{ count: 1, values: { Site: "Paris" } }]);
  }
  const stored = await world.database.query(async (queries) => [
    ...(await queries.selectFrom("recipients").select("name").execute()).map(({ name }) => name),
    ...(await queries.selectFrom("directory").select("recipient").execute()).map((row) => row.recipient),
  ]);
  assert.equal(new Set(stored).size, 4);
  assert.ok(stored.includes(ann));
  for (const each of stored) assert.notDeepEqual(await placesWith(world, each), [], each);
  const { rows } = await forget(world, ann);
  assert.deepEqual(rows, [{ campaigns: [1, 2, 3], quarantined: 0, directory: true, is_gone: true }]);
  for (const each of stored) assert.deepEqual(await placesWith(world, each), [], each);
});

test("recipient forget deletes the quarantined events of the recipient, and no others", async (t) => {
  const { world, organization } = await counted(t);
  const waiting = [
    open(1, { campaign_id: 5, recipient: "Ann@Example.COM" }),
    open(2, { campaign_id: "weekly", recipient: ann }),
    open(3, { campaign_id: 5, recipient: ann, at: "never" }),
    open(4, { campaign_id: 1, recipient: ann, at: "2026-06-15T09:00:00Z" }),
    open(5, { campaign_id: 5 }),
  ];
  assert.equal((await world.ingest(organization, waiting)).quarantined, 5);
  await putDirectory(world, organization, { [ann]: { Site: "Paris" }, "bob@example.com": { Site: "Paris" } });
  const { rows } = await forget(world, ann);
  assert.deepEqual(rows, [{ campaigns: [1], quarantined: 4, directory: true, is_gone: true }]);
  assert.deepEqual(await countRows(world, "quarantine", "directory"), [1, 1]);
  await world.register(organization, 5);
  assert.deepEqual(await countRows(world, "quarantine"), [0]);
  assert.equal(await recount(world), 0);
});

test("recipient forget works on all campaigns of the organization, and no other organization", async (t) => {
  const { world, organization } = await counted(t);
  await world.register(organization, 2, { tracking_type: "Anonymous" });
  await world.register(organization, 3);
  await world.register(organization, 4);
  await world.ingest(organization, everything(ann, { campaign_id: 2 }));
  await world.ingest(organization, [...everything(ann, { campaign_id: 4 }), open(1, { campaign_id: 3 })]);
  const other = await world.addOrganization({ name: "Globex" });
  await world.register(other.organization, 1);
  await world.ingest(other.organization, everything(ann));

  assert.deepEqual((await forget(world, ann)).rows, [
    { campaigns: [1, 2, 4], quarantined: 0, directory: false, is_gone: true },
  ]);
  assert.notDeepEqual(await placesWith(world, ann), [], "the other organization keeps the recipient");
  const elsewhere = await world.ingest(organization, [open(7, { campaign_id: 3, recipient: ann })]);
  assert.equal(elsewhere.accepted, 1, "a campaign without this recipient counts it like any other");
  assert.equal((await world.ingest(other.organization, [open(7, { recipient: ann })])).accepted, 1);
  assert.deepEqual((await forget(world, ann)).rows, [
    { campaigns: [3], quarantined: 0, directory: false, is_gone: true },
  ]);
  assert.deepEqual((await forget(world, ann)).rows, [
    { campaigns: [], quarantined: 0, directory: false, is_gone: true },
  ]);
  assert.deepEqual((await forget(world, ann, 2)).rows, [
    { campaigns: [1], quarantined: 0, directory: false, is_gone: true },
  ]);
  assert.deepEqual(await placesWith(world, ann), []);
  assert.equal(await recount(world), 0);
});

sqliteTest("recipient forget finds the address in any spelling that events accept", async (t) => {
  const { world, organization } = await counted(t);
  const written: [string, string][] = [
    ["jose\u0301@example.com", " JOS\u00c9@Example.com\t"],
    ["\u2126mega@example.com", "\u03a9MEGA@example.com"],
    ["\u{1f600}@\u4f8b\u3048.\u30c6\u30b9\u30c8", "\u{1f600}@\u4f8b\u3048.\u30c6\u30b9\u30c8"],
    [`${"x".repeat(488)}@example.com`, `${"X".repeat(488)}@example.com`],
    ["__proto__", "__PROTO__"],
    ["'; drop table recipients; --", "'; DROP TABLE recipients; --"],
    ["%", "%"],
  ];
  const more = written.map(([recipient], index) => open(index + 100, { recipient }));
  await world.ingest(organization, more);
  const [before] = await countRows(world, "recipients");
  for (const [recipient, asWritten] of written) {
    assert.deepEqual((await forget(world, asWritten)).rows[0]?.campaigns, [1], recipient);
    if (recipient.length > 1) assert.deepEqual(await placesWith(world, recipient.normalize("NFC")), []);
  }
  assert.deepEqual(await countRows(world, "recipients"), [before]);
  assert.equal(await recount(world), 0);
});

sqliteTest("recipient forget refuses a blank address", async (t) => {
  const { world, organization } = await counted(t);
  await world.ingest(organization, [open(1, { campaign_id: 9, recipient: 5 })]);
  for (const address of ["", " \t"]) {
    const { exitCode, stdout } = await forget(world, address);
    assert.deepEqual([exitCode, stdout], [2, ""]);
  }
  assert.deepEqual(await countRows(world, "quarantine"), [1]);
});

test("recipient forget erases the recipient from a campaign that was just closed", async (t) => {
  const { world, organization } = await counted(t);
  await world.closeCampaign(organization, 1);
  await forget(world, ann);
  assert.deepEqual(await placesWith(world, ann), []);
});

test("later events of a forgotten recipient are not quarantined", async (t) => {
  const { world, organization } = await makeAcme(t, { register: {} });
  await world.ingest(organization, [open(1, { recipient: "ann@example.com" })]);
  await run(world.databaseUrl, "recipient forget --yes --organization 1 ann@example.com");
  const late = await world.ingest(organization, [
    open(2, { recipient: "Ann@example.com", at: "2020-01-01T00:00:00Z" }),
    open(3, { recipient: "ann@example.com", at: "never" }),
  ]);
  const found = [late.quarantined, late.problems.map(({ reason }) => reason)];
  assert.deepEqual(found, [0, ["forgotten", "forgotten"]]);
});

sqliteTest("recipient forget warns of traces that remain while another process reads", async (t) => {
  const world = await makeSqliteWorld(t);
  const { organization } = await world.addOrganization();
  await world.register(organization, 1);
  const ann = "ann@example.com";
  await world.ingest(organization, [open(1, { recipient: ann })]);
  const argv = ["recipient", "forget", "--yes", "--organization", "1"];
  const held = await world.database.snapshot(async (queries) => {
    await queries.selectFrom("recipients").selectAll().execute();
    return run(world.databaseUrl, [...argv, ann]);
  });
  assert.equal(held.exitCode, 0);
  const message =
    /^Forgotten in 1 campaign; 0 quarantined events deleted\. Traces of the deleted data remain .*\n$/;
  assert.match(held.stdout, message);
  const again = await run(world.databaseUrl, [...argv, ann]);
  const text = "No data of this recipient was found. Check that the address is written as in your events.\n";
  assert.equal(again.stdout, text);
  assert.deepEqual(await placesWith(world, ann), []);
});
