// `quarantine list|replay|discard`.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { countRows, moveSentAtBack, open, opens } from "../../../support/events.ts";
import { exported } from "../../../support/import-files.ts";
import { pick } from "../../../support/pick.ts";
import { placesWith } from "../../../support/stored-bytes.ts";
import { campaign, makeAcme, run, type World } from "../../../support/world.ts";

const quarantined = (world: World, ...argv: string[]) =>
  run(world.databaseUrl, ["quarantine", ...argv, "--organization", "1"]);

const list = async (world: World, ...options: string[]) =>
  (await quarantined(world, "list", "--json", ...options)).rows;

const unknown =
  "There is no campaign with this id (or external_id, if campaign_id is text). The event is counted once the campaign is registered.";

/** One event for every reason, two of them for campaign 5; campaign 1 is counted, campaign 2 was imported. */
async function waiting(t: TestContext) {
  const { world, organization } = await makeAcme(t, { register: {} });
  await world.save(organization, [campaign({ id: 2 })]);
  const { quarantined } = await world.ingest(organization, [
    open(1, { campaign_id: 5 }),
    open(2, { campaign_id: "weekly" }),
    open(3, { campaign_id: 2 }),
    open(4, { at: "2026-06-15T10:49:59Z" }),
    open(5, { at: "yesterday" }),
    open(6, { campaign_id: 1.5 }),
  ]);
  assert.equal(quarantined, 6);
  world.clock.now += 60_000;
  await world.ingest(organization, [open(7, { campaign_id: 5 })]);
  return { world, organization };
}

const since = "2026-06-15T12:00:00.000Z";

test("quarantine list groups events by campaign and reason, with their number and first time", async (t) => {
  const { world } = await waiting(t);
  assert.deepEqual(await list(world), [
    { campaign: "weekly", reason: "unknown_campaign", events: 1, since },
    { campaign: 1, reason: "test_sending", events: 1, since },
    { campaign: 1, reason: "unreadable", events: 1, since },
    { campaign: 2, reason: "reported_campaign", events: 1, since },
    { campaign: 5, reason: "unknown_campaign", events: 2, since },
    { campaign: null, reason: "unreadable", events: 1, since },
  ]);
  const { stdout, stderr } = await quarantined(world, "list", "--reason", "unknown_campaign");
  assert.equal(
    stdout,
    [
      "campaign  reason            events  since",
      `"weekly"  unknown_campaign  1       ${since}`,
      `5         unknown_campaign  2       ${since}`,
      "",
    ].join("\n"),
  );
  assert.equal(stderr, "");
});

test("quarantine list --each prints every event with its error message", async (t) => {
  const { world } = await waiting(t);
  const each = async (...options: string[]) => {
    const rows = await list(world, "--each", ...options);
    return rows.map((row) => row.message).sort();
  };
  assert.deepEqual(
    await each("--campaign", "1"),
    [
      'at: "yesterday" is not an ISO-8601 time with Z or an offset, such as 2026-01-31T09:00:00Z',
      "The event is more than 10 minutes earlier than the campaign's sent_at, so it belongs to a test send.",
    ].sort(),
  );
  assert.deepEqual(await each("--campaign", "5"), [unknown, unknown]);
  assert.equal((await each()).length, 7);
});

test("quarantine list --each explains a line that is not JSON", async (t) => {
  const { world } = await waiting(t);
  await quarantined(world, "discard", "--yes");
  const argv = ["import", "--events", "--organization", "1", "-"];
  await run(world.databaseUrl, argv, { stdin: "no event\n" });
  for (const row of await list(world, "--each")) assert.match(String(row.message), /is not valid JSON/);
});

test("quarantine list says that there are no quarantined events, and prints nothing with --json", async (t) => {
  const { world } = await makeAcme(t);
  for (const options of [[], ["--each"]]) {
    const result = await quarantined(world, "list", ...options);
    assert.deepEqual(result.output, [0, "", "There are no quarantined events.\n"]);
    const json = await quarantined(world, "list", "--json", ...options);
    assert.deepEqual(json.output, [0, "", ""]);
  }
});

test("quarantine list --each prints more events than it reads in a batch, each once", async (t) => {
  const { world, organization } = await makeAcme(t);
  await world.ingest(organization, opens(1_201));
  assert.equal((await list(world, "--each")).length, 1_201);
  const { stdout } = await quarantined(world, "list", "--each");
  const lines = stdout.trimEnd().split("\n");
  assert.equal(lines.filter((line) => line.startsWith("1 ")).length, 1_201);
  assert.equal(lines.filter((line) => line.startsWith("campaign")).length, 1, "one header");
});

test("quarantined events are counted when their campaign is registered with its ID and external ID", async (t) => {
  const { world, organization } = await waiting(t);
  await world.register(organization, 5, { external_id: "weekly" });
  assert.equal((await exported(world)).find(({ id }) => id === 5)?.unique_opens, 3);
  assert.deepEqual(pick(await list(world), "campaign"), [1, 1, 2, null]);
  const again = await world.ingest(organization, [
    open(1, { campaign_id: 5 }),
    open(2, { campaign_id: "weekly" }),
  ]);
  assert.deepEqual([again.accepted, again.repeated], [0, 2]);
});

test("quarantine replay counts what can be counted, and updates the reason of the other events", async (t) => {
  const { world } = await waiting(t);
  await run(world.databaseUrl, "campaign delete --organization 1 --id 2 --yes");
  // The campaign was sent an hour earlier than it seemed when the event arrived.
  await moveSentAtBack(world, 1);
  const replayed = await quarantined(world, "replay", "--json");
  const expected = [0, '{"accepted":1,"repeated":0,"quarantined":6,"ignored":0}\n'];
  assert.deepEqual([replayed.exitCode, replayed.stdout], expected);
  assert.deepEqual(pick(await list(world), "campaign", "reason", "events"), [
    ["weekly", "unknown_campaign", 1],
    [1, "unreadable", 1],
    [2, "unknown_campaign", 1],
    [5, "unknown_campaign", 2],
    [null, "unreadable", 1],
  ]);
  assert.deepEqual([...new Set((await list(world)).map((row) => row.since))], [since]);
  assert.equal((await exported(world))[0]?.unique_opens, 1);
  const again = await quarantined(world, "replay", "--campaign", "5");
  const message =
    "Replayed: 0 counted, 0 already counted, 0 ignored (campaign closed or recipient forgotten), 2 still quarantined.\n";
  assert.equal(again.stdout, message);
});

test("quarantine discard deletes the filtered events, and only with --yes", async (t) => {
  const { world, organization } = await waiting(t);
  const other = await world.addOrganization({ name: "Globex" });
  await world.ingest(other.organization, opens(3, { campaign_id: 5 }));
  assert.equal((await quarantined(world, "discard", "--campaign", "5")).exitCode, 2);
  const both = ["--campaign", "5", "--reason", "unreadable", "--yes"];
  assert.equal((await quarantined(world, "discard", ...both)).stdout, "Discarded 0 events.\n");
  const one = await quarantined(world, "discard", "--reason", "test_sending", "--yes");
  assert.equal(one.stdout, "Discarded 1 event.\n");
  const two = await quarantined(world, "discard", "--campaign", "5", "--yes", "--json");
  assert.deepEqual(two.rows, [{ discarded: 2 }]);
  const rest = await quarantined(world, "discard", "--yes");
  assert.equal(rest.stdout, "Discarded 4 events.\n");
  assert.deepEqual(await countRows(world, "quarantine"), [3], "those of the other organization");
  await world.register(organization, 5);
  assert.equal((await exported(world)).find(({ id }) => id === 5)?.unique_opens, 0);
});

test("no recipient of a quarantined event is readable in the database files", async (t) => {
  const { world, organization } = await waiting(t);
  const secrets = { recipient: "ann@example.com", ip: "192.0.2.77", user_agent: "Wonderland/1.0" };
  await world.ingest(organization, [open(20, { campaign_id: 9, ...secrets })]);
  for (const text of [...Object.values(secrets), "person-1@example.com"]) {
    assert.deepEqual(await placesWith(world, text), [], text);
  }
});

test("an event with an invalid campaign_id stays quarantined", async (t) => {
  const { world, organization } = await makeAcme(t);
  const places = [1.5, "", 0, -1, true, [1], { id: 1 }, 1e300, "x".repeat(201)];
  const { quarantined: taken } = await world.ingest(
    organization,
    places.map((campaign_id, index) => open(index, { campaign_id })),
  );
  assert.equal(taken, places.length);
  const replayed = await quarantined(world, "replay", "--json");
  assert.deepEqual(replayed.rows, [{ accepted: 0, repeated: 0, quarantined: places.length, ignored: 0 }]);
  assert.deepEqual(pick(await list(world), "campaign", "reason", "events"), [
    [null, "unreadable", places.length],
  ]);
});

const names = [
  ...["12", "null", "?", 'a"b', '"', "back\\slash", "two\nlines", "\u001b[2J", "\u202egnp"],
  ...["\u{1f4e7} \u65e5\u672c\u8a9e e\u0301", "'; drop table quarantine; --", "x".repeat(200)],
];

for (const name of names) {
  test(`--campaign accepts an external ID as quarantine list prints it: ${JSON.stringify(name).slice(0, 40)}`, async (t) => {
    const { world, organization } = await makeAcme(t);
    await world.ingest(organization, [open(1, { campaign_id: name }), open(2, { campaign_id: 12 })]);
    const names = (await list(world)).map(({ campaign }) => campaign);
    assert.deepEqual(new Set(names), new Set([name, 12]));
    // As the table prints it.
    const asListed = JSON.stringify(name);
    const printed = (await quarantined(world, "list")).stdout;
    assert.doesNotMatch(printed.replaceAll("\n", ""), /\p{Cc}/u);
    assert.equal(printed.split("\n").length, 4);
    assert.deepEqual(pick(await list(world, "--campaign", asListed), "events"), [1]);
    const discarded = await quarantined(world, "discard", "--yes", "--json", "--campaign", asListed);
    assert.deepEqual(discarded.rows, [{ discarded: 1 }]);
    assert.deepEqual(pick(await list(world), "campaign"), [12]);
  });
}
