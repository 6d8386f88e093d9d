// What `import` prints besides its result: warnings and a progress bar.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { company } from "../../../src/counting/sample/company.ts";
import { demoCampaigns } from "../../../src/counting/sample/reported-campaigns.ts";
import { exported, file, importing, lines, record, stderrLines } from "../../support/import-files.ts";
import { collecting, makeAcme, run } from "../../support/world.ts";

/** Three records with values for all fields. */
async function full(t: TestContext): Promise<Record<string, unknown>[]> {
  const { world, organization } = await makeAcme(t);
  await world.save(organization, demoCampaigns(company, Date.UTC(2026, 0, 1)).slice(0, 3));
  return exported(world);
}

const sorted = (warnings: unknown) => (warnings as string[]).toSorted();

test("import warns of unknown fields, missing values and too large rates, with the number of records", async (t) => {
  const { world } = await makeAcme(t);
  const content = lines(
    ...(await full(t)).map((each, index) => ({
      ...each,
      id: index + 1,
      bounces: 1,
      tags: [{ name: "News", id: 7 }],
      ...(index > 0 && { team_id: 5, recipients: null }),
      ...(index > 1 && {
        open_rate: 25,
        click_rate: 1.01,
        read_time_read: 101,
        surveys_count: null,
        sent_from: null,
      }),
    })),
  );
  const { exitCode, rows, stderr } = await importing(world, content);
  const warnings = [
    "tags.id: unknown field, ignored in 3 records",
    "bounces: unknown field, ignored in 3 records",
    "team_id: unknown field, ignored in 2 records",
    "no value in 2 records: recipients",
    "no value in 1 record: sent_from, surveys_count",
    "open_rate: greater than 1 in 1 record; a rate is a fraction, not a percentage",
    "click_rate: greater than 1 in 1 record; a rate is a fraction, not a percentage",
    "read_time_read: greater than 100 in 1 record; it is a percentage",
  ];
  assert.deepEqual(rows, [{ added: 3, changed: 0, unchanged: 0, warnings }]);
  assert.deepEqual([exitCode, stderr], [0, ""]);

  const argv = ["import", "--organization", "1", file(world, content)];
  const [first = ""] = warnings;
  assert.deepEqual(stderrLines(await run(world.databaseUrl, argv)), [
    `warning: ${first}; --verbose lists ${warnings.length - 1} more`,
  ]);
  const people = await run(world.databaseUrl, [...argv, "--verbose"]);
  const expected = warnings.map((warning) => `warning: ${warning}`);
  assert.deepEqual(stderrLines(people), expected);
  assert.equal(people.stdout, "Imported: 0 added, 0 changed, 3 unchanged.\n");
});

test("import warns of rates that differ from those of the counts, and names the first campaign", async (t) => {
  const { world } = await makeAcme(t);
  const counts = { recipient_count: 300, unique_opens: 100, unique_clicks: 50 };
  const rounded = { ...counts, open_rate: 0.33, click_rate: 0.1667, click_per_unique_open_rate: 50 };
  const content = lines(
    record(1, rounded),
    record(2, { ...counts, open_rate: 0.5 }),
    record(3, { ...rounded, open_rate: 0.3, click_per_unique_open_rate: 0.5 }),
    record(4, { open_rate: 0.5, unique_opens: 100 }),
    record(5, { ...counts, open_rate: 33.3 }),
    record(6, { ...counts, recipient_count: 0, open_rate: 0.5 }),
    record(7, { sent: 110, delivered: 108, bounced_hard: 1, bounced_soft: 1 }),
    record(8, { sent: 110, delivered: 100, bounced: 2 }),
    record(9, { recipient_count: 110, delivered: 100, bounced: 2 }),
    record(10, { sent: 110, delivered: 100 }),
  );
  const { rows } = await importing(world, content);
  const shown = "the API returns it, pages show that of the counts";
  const warnings = rows[0]?.warnings as string[];
  assert.deepEqual(
    warnings.filter((warning) => /^(\w+_rate|sent):/.test(warning)),
    [
      "open_rate: greater than 1 in 1 record; a rate is a fraction, not a percentage",
      `open_rate: not the rate of the counts in 2 records, first in campaign 2, "Campaign 2"; ${shown}`,
      `click_per_unique_open_rate: not the rate of the counts in 1 record, first in campaign 3, "Campaign 3"; ${shown}`,
      'sent: not delivered + bounced in 1 record, first in campaign 8, "Campaign 8"',
    ],
  );
});

test("import warns when a record removes a value that the campaign had", async (t) => {
  const { world } = await makeAcme(t);
  const records = await full(t);
  await importing(world, lines(...records));
  const emptied = records.map((each, index) =>
    index === 0 ? each : { ...each, unique_opens: null, ...(index === 1 && { open_rate: null, tags: [] }) },
  );
  const warnings = [
    "no value in 2 records: unique_opens",
    "no value in 1 record: open_rate",
    "value removed from 1 record: open_rate, tags",
    "value removed from 2 records: unique_opens",
  ];
  const checked = await importing(world, lines(...emptied), "--dry-run");
  assert.deepEqual(sorted(checked.rows[0]?.warnings), sorted(warnings));
  const { rows } = await importing(world, lines(...emptied));
  assert.deepEqual(sorted(rows[0]?.warnings), sorted(warnings));
  // The values were already missing.
  const { rows: again } = await importing(world, lines(...emptied));
  assert.deepEqual(sorted(again[0]?.warnings), sorted(warnings.slice(0, 2)));
});

test("import prints nothing on standard error when there is nothing to warn about", async (t) => {
  const { world } = await makeAcme(t);
  const { exitCode, stderr, stdout } = await run(world.databaseUrl, [
    "import",
    "--organization",
    "1",
    file(world, lines(...(await full(t)))),
  ]);
  assert.deepEqual([exitCode, stderr, stdout], [0, "", "Imported: 3 added, 0 changed, 0 unchanged.\n"]);
});

test("import escapes the names of unknown fields and warns of fifty at most", async (t) => {
  const { world } = await makeAcme(t);
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`x${index}`, 1]));
  const content = lines(record(1, { "a\u001b[2J\nb": 1, ...many }));
  const argv = ["import", "--verbose", "--organization", "1", file(world, content)];
  const { stderr } = await run(world.databaseUrl, argv);
  const unknown = stderr.split("\n").filter((line) => line.includes("unknown field"));
  assert.equal(unknown.length, 50);
  assert.equal(unknown[0], "warning: a\\u001b[2J\\u000ab: unknown field, ignored in 1 record");
});

test("import draws a progress bar on a terminal only", async (t) => {
  const { world } = await makeAcme(t);
  const path = file(world, lines(record(1)));
  const argv = ["import", "--organization", "1", path, "--json"];
  const shownOn = async (isTTY: boolean) => {
    const { stream, text } = collecting();
    await run(world.databaseUrl, argv, { stderr: Object.assign(stream, { isTTY, columns: 50 }) });
    return text();
  };
  assert.equal(await shownOn(false), "");
  const shown = await shownOn(true);
  assert.ok(shown.includes("[##############################] 100 % "), shown);
  assert.ok(shown.endsWith("\u001b[1G\u001b[2K"), "the bar is erased");
  assert.ok(!shown.includes("\n"), "the bar stays on one line");
  assert.ok(!shown.includes("\u001b[?"), "Ctrl-C leaves no changed terminal mode");
  const drawn = shown.split("\u001b[1G").map((line) => line.replace("\u001b[0K", "").replace("\u001b8", ""));
  assert.equal(Math.max(...drawn.map(({ length }) => length)), 50);
});
