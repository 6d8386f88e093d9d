// Exports of other tools: recognized by their header, or mapped by hand.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import { importPresets } from "../../../src/counting/import/mapping/presets.ts";
import { counts, exported, importing, stderrLines } from "../../support/import-files.ts";
import { makeAcme, type World } from "../../support/world.ts";

const folder = join(import.meta.dirname, "..", "..", "support", "exports");
const exportOf = (tool: string) =>
  readFileSync(join(folder, `${tool.toLowerCase().replace(" ", "-")}.csv`), "utf8");

async function newYork(t: TestContext): Promise<World> {
  const { world } = await makeAcme(t, { timeZone: "America/New_York" });
  return world;
}

/** The records by send time, with these fields. */
async function fieldsOf(world: World, ...fields: string[]): Promise<unknown[][]> {
  const records = (await exported(world)).sort((a, b) => String(a.sent_at).localeCompare(String(b.sent_at)));
  return records.map((each) => fields.map((field) => each[field]));
}

/** In each export, with the columns that most have. */
const common = ["subject", "sent_at", "unique_opens", "open_rate", "unique_clicks", "click_rate"];
const expected = [
  ["Most popular, by far", "2025-06-10T01:30:00.000Z", 300, 0.3, 90, 0.09],
  ["Town hall on Friday", "2025-06-11T12:00:00.000Z", 350, 0.7, 125, 0.25],
];
const differing: Record<string, unknown[][]> = {
  Mailchimp: [
    ["Most popular, by far", "2025-06-10T01:30:00.000Z", 30, 0.2778, 7, 0.0648],
    ["Town hall on Friday", "2025-06-11T12:00:00.000Z", 910, 0.7, 325, 0.25],
  ],
  // The second has no subject, and both have the hour in a column of its own.
  Klaviyo: [
    ["Most popular, by far", "2025-06-10T01:00:00.000Z", 300, 0.3, 90, 0.09],
    ["Town hall on Friday", "2025-06-11T12:00:00.000Z", 350, 0.7, 125, 0.25],
  ],
  "Campaign Monitor": [
    ["Most popular, by far", "2025-06-10T01:30:00.000Z", 298, 0.298, 90, 0.09],
    ["Town hall on Friday", "2025-06-11T12:00:00.000Z", 350, 0.7, 125, 0.25],
  ],
};

for (const { tool } of importPresets) {
  test(`import recognizes an export of ${tool}, and the same export again changes nothing`, async (t) => {
    const world = await newYork(t);
    const options = tool === "Brevo" ? ["--date-order", "day-first"] : [];
    const first = await importing(world, exportOf(tool), ...options);
    assert.deepEqual([first.exitCode, stderrLines(first)], [0, []]);
    assert.deepEqual(counts(first), [2, 0, 0]);
    const [summary = {}] = first.rows;
    const [notice = "", ...warnings] = summary.warnings as string[];
    assert.match(notice, new RegExp(`^read as an export of ${tool}(;|$)`));
    const found = warnings.filter((warning) => !/^no value in |has its time of day in/.test(warning));
    assert.deepEqual(found, []);
    assert.deepEqual(await fieldsOf(world, ...common), differing[tool] ?? expected);
    assert.deepEqual(counts(await importing(world, exportOf(tool), ...options)), [0, 0, 2]);
  });
}

test("import reads what became of the messages of each tool, and export writes it", async (t) => {
  const names = [
    "sent",
    "delivered",
    "bounced",
    "bounced_hard",
    "bounced_soft",
    "unsubscribed",
    "complained",
  ];
  const read: Record<string, (number | null)[]> = {
    Mailchimp: [110, 108, 2, 1, 1, 0, 0],
    Klaviyo: [1010, 1000, 10, null, null, 3, 0],
    HubSpot: [1010, 1000, null, 5, 5, 3, 0],
    Brevo: [1010, 1000, null, null, null, 3, null],
    "Campaign Monitor": [1000, null, 15, null, null, 3, null],
    "Constant Contact": [1000, null, 15, null, null, 3, null],
    PoliteMail: [998, null, null, null, null, null, null],
    ContactMonkey: [null, null, null, null, null, null, null],
  };
  for (const { tool } of importPresets) {
    const world = await newYork(t);
    await importing(world, exportOf(tool), ...(tool === "Brevo" ? ["--date-order", "day-first"] : []));
    assert.deepEqual((await fieldsOf(world, ...names))[0], read[tool], tool);
    const changed = (await exported(world)).map((each) => ({ ...each, bounced: 7 }));
    const copy = changed.map((each) => JSON.stringify(each)).join("\n");
    assert.deepEqual(counts(await importing(world, copy)), [0, 2, 0], "a count alone is a change");
    assert.deepEqual((await fieldsOf(world, "bounced")).flat(), [7, 7]);
  }
});

test("import reads ids, thousands, tags and missing numbers of exports", async (t) => {
  const world = await newYork(t);
  await importing(world, exportOf("Mailchimp"));
  assert.deepEqual(await fieldsOf(world, "id", "recipient_count", "total_opens", "recipients"), [
    [608_115_709_760_943, 108, 57, "All staff"],
    [792_750_645_839_935, 1300, 1820, "All staff"],
  ]);
  const other = await newYork(t);
  await importing(other, exportOf("ContactMonkey"));
  const fields = ["id", "read_time_read", "enps_score_average", "organization_team"];
  assert.deepEqual(await fieldsOf(other, ...fields), [
    [7101, 50, 8.25, "Communications"],
    [7102, null, null, "Communications"],
  ]);
  const tags = (await fieldsOf(other, "tags")).map(([each]) =>
    (each as { name: string }[]).map(({ name }) => name),
  );
  assert.deepEqual(tags, [["Newsletter"], ["Events", "Newsletter"]]);
});

test("import reads Mailchimp's report of one campaign, and refuses that of an A/B test", async (t) => {
  const world = await newYork(t);
  const report = exportOf("Mailchimp report");
  const result = await importing(world, report);
  assert.deepEqual([result.exitCode, stderrLines(result), counts(result)], [0, [], [1, 0, 0]]);
  const [summary = {}] = result.rows;
  const [warning = ""] = summary.warnings as string[];
  assert.match(warning, /^read as an export of Mailchimp; columns without a field: /);
  assert.deepEqual(await fieldsOf(world, ...common, "recipient_count", "total_opens", "total_clicks"), [
    ["Most popular, by far", "2025-06-10T01:30:00.000Z", 910, 0.7, 325, 0.25, 1300, 1820, 410],
  ]);
  assert.deepEqual(counts(await importing(world, report)), [0, 0, 1]);
  // Its title is the subject where it has none, as in the list.
  await importing(world, report.replace(/"Subject Line:".*\n/, "").replace("June news", "5 (10%)"));
  assert.deepEqual((await fieldsOf(world, "subject")).flat(), ["Most popular, by far", "5 (10%)"]);
  const broken = `${report.split("Overall")[0]}Stats","1\nconstructor:,1\n`;
  assert.match((await importing(world, broken)).stderr, /line 6: has a quoted cell without a closing quote/);
  const combinations = `Campaign Report\n"Title:","May"\n"Delivery Date/Time:","Sat, May 1, 2021 10:15"\n
"Combination 1 Stats"\n"Subject Line:","Sale"\n"Total Recipients:","17"\n
"Combination 2 Stats"\n"Subject Line:","Last call"\n"Total Recipients:","18"\n`;
  assert.equal(
    stderrLines(await importing(world, combinations))[0],
    "line 10: is in the report of an A/B test; export the list of campaigns instead",
  );
});

const own = "Headline,When,People,Opened\nHello,3/4/2024 9:00 AM,120,25\nHello,13/4/2024,80,n/a\n";
const map = "subject=Headline,sent_at=when,recipient_count=People,open_rate=Opened";

test("import --map names the columns of any file, and campaigns without an id get one", async (t) => {
  const world = await newYork(t);
  const options = ["--map", map, "--date-order", "day-first", "--rates", "percent"];
  const result = await importing(world, own, ...options);
  assert.deepEqual([result.exitCode, stderrLines(result)], [0, []]);
  assert.deepEqual(await fieldsOf(world, "subject", "sent_at", "recipient_count", "open_rate"), [
    ["Hello", "2024-04-03T13:00:00.000Z", 120, 0.25],
    ["Hello", "2024-04-13T04:00:00.000Z", 80, null],
  ]);
  const corrected = own.replace("120,25", "121,26");
  assert.deepEqual(counts(await importing(world, corrected, ...options)), [0, 1, 1]);
});

test("import takes the order of dates from a date of the same column that has only one, wherever it is", async (t) => {
  const world = await newYork(t);
  const rows = (...dates: string[]) =>
    `Headline,When\n${dates.map((date, at) => `${at},${date}\n`).join("")}`;
  const columns = ["--map", "subject=Headline,sent_at=When"];
  const sentAt = async (content: string) => {
    const result = await importing(world, content, ...columns);
    assert.deepEqual([result.exitCode, stderrLines(result)], [0, []]);
    return (await fieldsOf(world, "sent_at")).map(([at]) => String(at).slice(0, 10));
  };
  assert.deepEqual(await sentAt(rows("10/7/2025 9:15", "6/6/2025", "9/16/2025", "11/8/2025")), [
    "2025-06-06",
    "2025-09-16",
    "2025-10-07",
    "2025-11-08",
  ]);
  // Rows are held back up to a limit of memory, so that only dates before it have to be chosen.
  const long = `${"x".repeat(1_000_000)},3/4/2025\n`;
  const beyond = await importing(
    world,
    `Headline,When\n${long.repeat(3)}y,16/4/2025\ny,5/4/2025\n`,
    ...columns,
  );
  assert.match(beyond.stderr, /line 2, column "When": "3\/4\/2025" may have/);
  assert.doesNotMatch(beyond.stderr, /line 6/);
});

test("import --map precedes the columns of a known export, and FIELD= leaves a field out", async (t) => {
  const world = await newYork(t);
  const result = await importing(
    world,
    exportOf("Mailchimp"),
    ...["--map", "recipient_count=Total Recipients", "--map", "subject=Title,click_rate="],
  );
  assert.equal(result.exitCode, 0);
  assert.deepEqual(await fieldsOf(world, "subject", "recipient_count", "click_rate"), [
    ["June news", 110, null],
    ["Town hall", 1310, null],
  ]);
});

test("errors of mapped files name line, column, value and the accepted values", async (t) => {
  const world = await newYork(t);
  const errors = async (content: string, ...options: string[]) => {
    const result = await importing(world, content, ...options);
    assert.equal(result.exitCode, 1);
    assert.deepEqual(await exported(world), []);
    return stderrLines(result).slice(0, -1);
  };
  const unclear = own.replace("13/4/2024", "5/4/2024");
  assert.deepEqual((await errors(unclear, "--map", map)).slice(0, 1), [
    'line 2, column "When": "3/4/2024 9:00 AM" may have the month or the day first; choose the order of dates, month-first or day-first',
  ]);
  const message = /^error: 2 errors; .*; --date-order chooses the order of dates$/;
  assert.match(stderrLines(await importing(world, unclear, "--map", map)).at(-1) ?? "", message);
  assert.deepEqual(await errors(`${own}Bye,4/16/2024,1,1\n`, "--map", map), [
    'line 4, column "When": "4/16/2024" has the month first, but "13/4/2024" in line 3 has the day first',
  ]);
  const impossible = "Hello,13/4/2024,4436,5210,4437\nBye,14/4/2024,80,80,80\n";
  const counts = `${map.replace("open_rate", "unique_opens")},unique_clicks=Clicked`;
  assert.deepEqual(await errors(`Headline,When,People,Opened,Clicked\n${impossible}`, "--map", counts), [
    'line 2, "Hello": 5,210 unique opens, but only 4,436 recipients',
    'line 2, "Hello": 4,437 unique clicks, but only 4,436 recipients',
  ]);
  assert.deepEqual(await errors(own.replace("13/4/2024", "Easter").replace("80", "eighty"), "--map", map), [
    'line 2, column "When": "3/4/2024 9:00 AM" may have the month or the day first; choose the order of dates, month-first or day-first',
    'line 3, column "When": "Easter" is not a time such as Jan 1, 2024 9:00 AM, or ISO-8601 such as 2024-01-01T09:00:00Z',
    'line 3, column "People": "eighty" is not a whole number from 0 to 9007199254740991',
  ]);
  assert.deepEqual(await errors(own, "--map", "subject=Title"), [
    'line 1: has no column "Title" for subject; the columns are "Headline", "When", "People", "Opened"',
  ]);
  assert.deepEqual(await errors(own, "--map", "subject=Headline"), [
    'line 1: has no column for sent_at; map one of its columns to it: "Headline", "When", "People", "Opened"',
  ]);
  assert.deepEqual(await errors("A,A,B\nx,y,2024-01-01\n", "--map", "subject=A,sent_at=B"), [
    'line 1: has the column "A" twice',
  ]);
  assert.deepEqual(
    await errors("A,B,C\nx,2024-01-01,1\nx,2024-01-01,2\n", "--map", "subject=A,sent_at=B,recipient_count=C"),
    [
      "line 3: has the same send time, subject and recipient groups as record 1 of the file, or the same id; map a column to id that tells them apart",
    ],
  );
});

test("import refuses a mapping that is not one, and mappings of events", async (t) => {
  const world = await newYork(t);
  const wrong = await importing(world, own, "--map", "Title=subject");
  assert.equal(wrong.exitCode, 2);
  assert.match(wrong.stderr, /"Title=subject" is not FIELD=COLUMN; the fields are id, subject, sent_at/);
  const events = await importing(world, "{}", "--events", "--map", "subject=A");
  assert.equal(events.exitCode, 2);
  assert.match(events.stderr, /--map, --date-order and --rates are only for campaigns/);
});
