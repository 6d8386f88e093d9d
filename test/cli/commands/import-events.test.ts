// `import --events`: events from files, with the same code that ingests them over HTTP.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { gzipSync } from "node:zlib";
import { click, countRows, json, open, opens } from "../../support/events.ts";
import { exported, file, lines } from "../../support/import-files.ts";
import { sqliteTest } from "../../support/sqlite-test.ts";
import { makeAcme, run, type World } from "../../support/world.ts";

const importing = (world: World, files: string[], given: Parameters<typeof run>[2] = {}) =>
  run(world.databaseUrl, ["import", "--events", "--organization", "1", ...files], given);

const unknown =
  "There is no campaign with this id (or external_id, if campaign_id is text). The event is counted once the campaign is registered.";

/** Campaign 1 with the external ID `weekly`. */
async function ready(t: TestContext) {
  const { world, organization } = await makeAcme(t, { register: { external_id: "weekly" } });
  return { world, organization };
}

const opened = async (world: World) => (await exported(world))[0]?.unique_opens;

test("import --events prints a summary, and counts no event of the same file twice", async (t) => {
  const { world } = await ready(t);
  const path = file(world, lines(...opens(3), open(1), open(9, { campaign_id: 7 })), "events.ndjson");
  const first = await importing(world, [path]);
  const message = "Imported: 3 counted, 1 repeated, 1 quarantined.\n";
  assert.deepEqual(first.output, [0, message, `unknown_campaign: 1. ${unknown}\n`]);
  const again = await importing(world, [path]);
  assert.deepEqual([again.exitCode, again.stdout], [0, "Imported: 0 counted, 4 repeated, 1 quarantined.\n"]);
  assert.equal(await opened(world), 3);
  assert.deepEqual(await countRows(world, "quarantine"), [1]);
});

sqliteTest("import --events --json prints the number of events for each problem", async (t) => {
  const { world } = await ready(t);
  const events = [
    ...opens(2),
    open(2),
    open(3, { at: "2026-06-15T13:00:00Z" }),
    open(4, { campaign_id: 7 }),
    open(5, { campaign_id: "monthly" }),
    open(6, { at: "2026-06-15T10:00:00Z" }),
    { id: "x", type: "delivered" },
    open(7, { campaign_id: "weekly" }),
  ];
  const { output } = await importing(world, [file(world, lines(...events), "events.ndjson"), "--json"]);
  const message =
    '{"accepted":4,"repeated":1,"quarantined":3,"problems":{"time_ahead":1,"unknown_campaign":2,"test_sending":1,"no_campaign":1}}\n';
  assert.deepEqual(output, [0, message, ""]);
});

sqliteTest("import --events reports unreadable lines, exits 1, and counts the other lines", async (t) => {
  const { world } = await ready(t);
  const content = [
    json(open(1)),
    "",
    '{"id":"half"',
    "  \t",
    `${json(open(2))}\r`,
    json(open(3, { recipient: " " })),
    "[]",
    json(open(4, { type: "\u001b[2Jopen" })),
    json(open(5)),
  ].join("\n");
  const path = file(world, content, "events.ndjson");
  const { exitCode, stdout, stderr } = await importing(world, [path]);
  assert.deepEqual([exitCode, stdout], [1, "Imported: 3 counted, 0 repeated, 4 quarantined.\n"]);
  assert.equal(
    stderr,
    [
      `${path}: line 3: is not valid JSON`,
      `${path}: line 6: recipient: " " is blank`,
      `${path}: line 7: event: [] is not an object`,
      `${path}: line 8: type: "\\u001b[2Jopen" is not one of open, click, read, survey, delivery, bounce, unsubscribe, complaint`,
      "error: 4 events unreadable; the others were imported",
      "",
    ].join("\n"),
  );
  assert.equal(await opened(world), 3);
});

sqliteTest("import --events prints the first hundred unreadable lines and counts all of them", async (t) => {
  const { world } = await ready(t);
  const path = file(world, lines(...opens(5_150, { at: "never" })), "events.ndjson");
  const { exitCode, stderr, rows } = await importing(world, [path, "--json"]);
  const said = stderr.trimEnd().split("\n");
  const expected = [1, 102, "… and 5050 more", "error: 5150 events unreadable; the others were imported"];
  assert.deepEqual([exitCode, said.length, ...said.slice(-2)], expected);
  assert.deepEqual(rows, [{ accepted: 0, repeated: 0, quarantined: 5_150, problems: { unreadable: 5_150 } }]);
});

sqliteTest("import --events sums up several files, and names the file of each unreadable line", async (t) => {
  const { world } = await ready(t);
  const first = file(world, lines(...opens(2)), "first.ndjson");
  const second = file(world, `${json(open(2))}\n${json(open(3))}\nno event\n`, "second.ndjson");
  const { exitCode, stdout, stderr } = await importing(world, [first, second, "-"], {
    stdin: `also none\n${json(open(4))}`,
  });
  assert.deepEqual([exitCode, stdout], [1, "Imported: 4 counted, 1 repeated, 2 quarantined.\n"]);
  const message = `${second}: line 3: is not valid JSON\n-: line 1: is not valid JSON\nerror: 2 events unreadable; the others were imported\n`;
  assert.equal(stderr, message);
});

sqliteTest("import --events prints what it imported before an error", async (t) => {
  const { world } = await ready(t);
  const good = file(world, lines(...opens(3), open(1)), "good.ndjson");
  const bad = file(world, gzipSync(lines(open(4))), "bad.ndjson.gz");
  const { exitCode, stdout, stderr } = await importing(world, [good, bad]);
  assert.deepEqual([exitCode, stdout], [1, ""]);
  const message =
    /^Imported before the error: 3 counted, 1 repeated, 0 quarantined\. Import the same files again to count the rest\.\nerror: /;
  assert.match(stderr, message);
  const onlyBad = await importing(world, [bad]);
  assert.match(onlyBad.stderr, /^error: /);
  assert.equal(await opened(world), 3);
});

sqliteTest("import --events imports nothing from an empty file", async (t) => {
  const { world } = await ready(t);
  for (const stdin of ["", "\n\n", "\ufeff"]) {
    const { output } = await importing(world, ["-"], { stdin });
    assert.deepEqual(output, [0, "Imported: 0 counted, 0 repeated, 0 quarantined.\n", ""]);
  }
});

sqliteTest("import --events exits 1 when no record has a campaign_id", async (t) => {
  const { world } = await ready(t);
  const { exitCode, stderr } = await importing(world, ["-"], { stdin: '{"id":1,"subject":"Hello"}\n' });
  assert.equal(exitCode, 1);
  assert.match(stderr, /\nerror: no record has a campaign_id; check that the file contains events\n$/);
});

sqliteTest("import --events accepts byte order marks, and a last line without a line break", async (t) => {
  const { world } = await ready(t);
  const recipient = "\u{1f600}-\u65e5\u672c-jos\u00e9@example.com";
  const events = Array.from({ length: 20_000 }, (_, index) =>
    open(index, { recipient: `${index}${recipient}` }),
  );
  const stdin = `\ufeff${lines(...events)}\ufeff${json(open(20_000))}`;
  const { exitCode, stdout } = await importing(world, ["-"], { stdin });
  assert.deepEqual([exitCode, stdout], [0, "Imported: 20001 counted, 0 repeated, 0 quarantined.\n"]);
  const found = await world.database.snapshot((queries) =>
    queries.selectFrom("recipients").select("name").where("name", "like", `%${recipient}`).execute(),
  );
  assert.equal(found.length, 20_000);
});

sqliteTest("import --events rejects a line that is not UTF-8", async (t) => {
  const { world } = await ready(t);
  // Decoding with replacement characters would make the two addresses equal.
  const content = lines(open(1, { recipient: "jos\u00e9@x.com" }), open(2, { recipient: "jos\u00e8@x.com" }));
  const { exitCode, stderr } = await importing(world, ["-"], { stdin: Buffer.from(content, "latin1") });
  assert.equal(exitCode, 1);
  assert.match(stderr, /^-: line 1: is not UTF-8 text\n-: line 2: is not UTF-8 text\nerror: 2 events /);
  assert.equal(await opened(world), 0);
});

sqliteTest("import --events accepts IDs, addresses and links up to the maximum length", async (t) => {
  const { world } = await ready(t);
  const long = { id: "\u{1f600}".repeat(500), recipient: "x".repeat(500), url: "u".repeat(8_192) };
  const events = [
    click(1, long),
    click(2, { id: `${long.id}x` }),
    click(3, { recipient: `${long.recipient}x` }),
    click(4, { url: `${long.url}x` }),
  ];
  const { exitCode, rows, stderr } = await importing(world, ["-", "--json"], { stdin: lines(...events) });
  assert.deepEqual([exitCode, rows[0]?.accepted, rows[0]?.problems], [1, 1, { unreadable: 3 }]);
  for (const line of stderr.trimEnd().split("\n")) assert.ok(line.length < 300, line);
});

sqliteTest("import --events never reads a part of a line that is too long as the whole line", async (t) => {
  const { world } = await ready(t);
  // `hidden`, which marks the click as automated, comes after the maximum length of a line.
  const endless = { before: "x".repeat(2_200_000), hidden: true, after: "x".repeat(300_000) };
  const path = file(world, lines(open(1), click(2, endless), open(3)), "events.ndjson");
  const { stdout, stderr } = await importing(world, [path]);
  assert.equal(stdout, "Imported: 2 counted, 0 repeated, 1 quarantined.\n");
  assert.match(stderr, /line 2: /);
  assert.equal((await exported(world))[0]?.total_clicks, 0);
});

sqliteTest("import --events tells how to decompress a gzip file", async (t) => {
  const { world } = await ready(t);
  const { exitCode, stderr } = await importing(world, ["-"], { stdin: gzipSync(lines(open(1))) });
  assert.equal(exitCode, 1);
  assert.match(stderr, /^error: the file is compressed with gzip; decompress it: gunzip -c FILE/);
});
