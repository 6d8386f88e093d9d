// Files with errors: `import` reports every invalid record and writes nothing.

import assert from "node:assert/strict";
import test from "node:test";
import {
  counts,
  emptyWorld,
  errorsOf,
  exported,
  file,
  importing,
  lines,
  record,
  stderrLines,
} from "../../support/import-files.ts";
import { pick } from "../../support/pick.ts";
import { run } from "../../support/world.ts";

test("import reports every error of every invalid record, and writes nothing of the file", async (t) => {
  const world = await emptyWorld(t);
  const content = lines(
    record(1, { tags: ["New"] }),
    { subject: 5, sent_at: "soon" },
    record(2, { unique_opens: -1, open_rate: "high" }),
    record(3),
    "text",
    null,
    record(4, { tags: [{ name: "x", color: "blue" }] }),
  );
  const time = "a time such as Jan 1, 2024 9:00 AM, or ISO-8601 such as 2024-01-01T09:00:00Z";
  assert.deepEqual(await errorsOf(world, `${content}{"id":5,\n[1]\n`), [
    "line 2: id: is missing; it must be a whole number from 1 to 9007199254740991",
    "line 2: subject: 5 is not text of at most 65536 characters, without NUL or unpaired surrogates",
    `line 2: sent_at: "soon" is not ${time}`,
    'line 3: open_rate: "high" is not a number of at least 0',
    "line 3: unique_opens: -1 is not a whole number from 0 to 9007199254740991",
    'line 5: record: "text" is not an object with the fields of a campaign',
    "line 6: record: null is not an object with the fields of a campaign",
    'line 7: tags: "blue" is not a color of the form #RRGGBB, for the tag "x"',
    "line 8: is not valid JSON: Expected double-quoted property name in JSON at position 8 (line 1 column 9)",
    "line 9: record: [1] is not an object with the fields of a campaign",
  ]);
  const tags = await run(world.databaseUrl, "tag list --organization 1 --json");
  assert.deepEqual(tags.rows, []);
});

test("import without --json prints errors and a summary", async (t) => {
  const world = await emptyWorld(t);
  const argv = [
    "import",
    "--organization",
    "1",
    file(world, '[{"id":0,"subject":"a","sent_at":"2024-01-01"}]'),
  ];
  const { exitCode, stdout, stderr } = await run(world.databaseUrl, argv);
  assert.deepEqual([exitCode, stdout], [1, "Imported: 0 added, 0 changed, 0 unchanged.\n"]);
  assert.ok(stderr.startsWith("[0]: id: 0 is not a whole number from 1 to 9007199254740991\n"));
  const message =
    /\nerror: 1 error; a file with errors is not imported\nwarning: no value in 1 record: .+\n$/;
  assert.match(stderr, message);
});

test("import prints the first hundred errors and counts all of them, over all files", async (t) => {
  const world = await emptyWorld(t);
  const bad = Array.from({ length: 130 }, (_, index) => record(index + 1, { open_rate: -1 }));
  const printed = await errorsOf(world, lines(...bad));
  assert.equal(printed.length, 101);
  assert.equal(printed[0], "line 1: open_rate: -1 is not a number of at least 0");
  assert.equal(printed[99], "line 100: open_rate: -1 is not a number of at least 0");
  assert.equal(printed[100], "… and 30 more");

  const [first, second] = [file(world, lines(...bad.slice(0, 60)), "a"), file(world, lines(...bad), "b")];
  const both = stderrLines(
    await run(world.databaseUrl, ["import", "--organization", "1", "--json", first, second]),
  );
  assert.equal(both[59], `${first}: line 60: open_rate: -1 is not a number of at least 0`);
  assert.equal(both[60], `${second}: line 1: open_rate: -1 is not a number of at least 0`);
  const message = "error: 190 errors; a file with errors is not imported";
  assert.deepEqual(both.slice(100), ["… and 90 more", message]);
});

test("import keeps the files before one with errors, and only validates those after it", async (t) => {
  const world = await emptyWorld(t);
  const contents = [
    lines(record(1)),
    lines(record(2), record(3, { id: "x" })),
    lines(record(4)),
    lines(record(5, { subject: 1 })),
  ];
  const files = contents.map((content, index) => file(world, content, `${index}.ndjson`));
  const result = await run(world.databaseUrl, ["import", "--organization", "1", "--json", ...files]);
  assert.deepEqual([result.exitCode, counts(result)], [1, [1, 0, 0]]);
  assert.deepEqual(stderrLines(result), [
    `${files[1]}: line 2: id: "x" is not a whole number from 1 to 9007199254740991`,
    `${files[3]}: line 1: subject: 1 is not text of at most 65536 characters, without NUL or unpaired surrogates`,
    "error: 2 errors; a file with errors is not imported",
  ]);
  const [summary = {}] = result.rows;
  const expected = `${files[2]}: only validated, because an earlier file has errors`;
  assert.equal((summary.warnings as string[])[0], expected);
  assert.deepEqual(pick(await exported(world), "id"), [1]);
});

test("import accepts a repeated ID in a file if the content is the same, and rejects it otherwise", async (t) => {
  const world = await emptyWorld(t);
  const one = record(1, { tags: [{ name: "News", color: "#000000" }] });
  const other = { ...one, subject: "Other" };
  const same = { ...one, sent_at: "2024-01-01T10:00:00+01:00", tags: ["News"], unknown: 1 };
  assert.deepEqual(await errorsOf(world, lines(one, record(2), other, one, other, { ...one, tags: ["x"] })), [
    "line 3: id: 1 has different content in record 1 of the file",
    "line 5: id: 1 has different content in record 1 of the file",
    "line 6: id: 1 has different content in record 1 of the file",
  ]);
  const result = await importing(world, lines(one, record(2), same, one));
  assert.deepEqual(counts(result), [2, 0, 0]);
  assert.match(String(result.rows[0]?.warnings), /2 records left out: the same as an earlier one/);
});

test("import finds a repeated ID with different content hundreds of records later", async (t) => {
  const world = await emptyWorld(t);
  const many = Array.from({ length: 1_200 }, (_, index) => record(index + 1));
  assert.deepEqual(await errorsOf(world, lines({ id: 0 }, ...many, record(7, { open_rate: 0.5 }))), [
    "line 1: id: 0 is not a whole number from 1 to 9007199254740991",
    "line 1: subject: is missing; it must be text of at most 65536 characters, without NUL or unpaired surrogates",
    "line 1: sent_at: is missing; it must be a time such as Jan 1, 2024 9:00 AM, or ISO-8601 such as 2024-01-01T09:00:00Z",
    "line 1202: id: 7 has different content in record 8 of the file",
  ]);
});
