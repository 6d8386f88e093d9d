// Files that `import` cannot read completely: not UTF-8, not JSON, truncated, missing or too long.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { gzipSync } from "node:zlib";
import { counts, emptyWorld, errorsOf, file, lines, record } from "../../support/import-files.ts";
import { run } from "../../support/world.ts";

test("import rejects text that is not UTF-8, and says how to save it", async (t) => {
  const world = await emptyWorld(t);
  const wanted = (line: number) => [
    `file: is not UTF-8 text in line ${line}; save it as UTF-8 (in Excel: CSV UTF-8)`,
  ];
  const csv = "id,subject,sent_at\n1,Grüße,2024-01-01\n";
  assert.deepEqual(await errorsOf(world, Buffer.from(csv.replace("ü", "\x81"), "latin1")), wanted(2));
  assert.deepEqual(await errorsOf(world, Buffer.from(`\ufeff${csv}`, "utf16le").subarray(0, -1)), wanted(2));
  const found = await errorsOf(world, Buffer.from(lines(record(1, { subject: "Grüße" })), "latin1"));
  assert.deepEqual(found, wanted(1));
  assert.deepEqual(await errorsOf(world, Buffer.from(csv).subarray(0, 24)), wanted(2));
  const late = Buffer.concat([Buffer.from(lines(record(1))), Buffer.from([0xed, 0xa0, 0x80])]);
  assert.deepEqual(await errorsOf(world, late), wanted(2));
});

test("import says what a PDF and an image are", async (t) => {
  const world = await emptyWorld(t);
  const instead = "export a CSV file or an Excel workbook (.xlsx) instead";
  assert.deepEqual(await errorsOf(world, "%PDF-1.7\n%âãÏÓ\n"), [`file: is a PDF; ${instead}`]);
  const png = Buffer.from("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1");
  for (const image of [png, Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0x10])])
    assert.deepEqual(await errorsOf(world, image), [`file: is an image; ${instead}`]);
});

test("import rejects NUL and unpaired surrogates, which cannot be stored", async (t) => {
  const world = await emptyWorld(t);
  const content =
    '{"id":1,"subject":"a\\u0000","sent_at":"2024-01-01"}\n{"id":2,"subject":"\\ud83d","sent_at":"2024-01-01"}';
  const wanted = "is not text of at most 65536 characters, without NUL or unpaired surrogates";
  assert.deepEqual(await errorsOf(world, content), [
    `line 1: subject: "a\\u0000" ${wanted}`,
    `line 2: subject: "\\ud83d" ${wanted}`,
  ]);
  assert.deepEqual(await errorsOf(world, "id,subject,sent_at\n1,a\0,2024-01-01\n"), [
    `line 2: subject: "a\\u0000" ${wanted}`,
  ]);
});

test("import rejects a truncated or invalid JSON file after reporting the errors before that", async (t) => {
  const world = await emptyWorld(t);
  const start = JSON.stringify({ emails: [record(1, { id: -1 }), record(2)] });
  const error = "emails[0]: id: -1 is not a whole number from 1 to 9007199254740991";
  for (const length of [2, 3, 10]) {
    const message = "after 1 record: the JSON ends too early; the file is truncated";
    assert.deepEqual(await errorsOf(world, start.slice(0, -length)), [error, message]);
  }
  assert.deepEqual(await errorsOf(world, '[{"id":'), [
    "after 0 records: the JSON ends too early; the file is truncated",
  ]);
  const [first, second = ""] = await errorsOf(world, `${start} oops`);
  assert.equal(first, error);
  assert.equal(second, `document 2: is not valid JSON: Unexpected token 'o', "oops" is not valid JSON`);
});

test("import rejects an empty file", async (t) => {
  const world = await emptyWorld(t);
  for (const content of ["", "\ufeff", " \r\n\t\n"])
    assert.deepEqual(await errorsOf(world, content), ["file: is empty"]);
});

test("import refuses a missing file or a folder as an argument, and imports none of the others", async (t) => {
  const world = await emptyWorld(t);
  const good = file(world, lines(record(1)));
  const [missing, folder] = [join(world.folder, "missing.json"), join(world.folder, "folder")];
  mkdirSync(folder);
  for (const kind of [[], ["--events"]]) {
    for (const [path, problem] of [
      [missing, "does not exist; check the path"],
      [folder, "is a folder; name the files in it"],
    ] as const) {
      const argv = ["import", "--organization", "1", ...kind, good, path];
      const { output } = await run(world.databaseUrl, argv);
      assert.deepEqual(output, [2, "", `error: ${path} ${problem}\n`]);
    }
  }
  const result = await run(world.databaseUrl, ["import", "--organization", "1", "--json", good]);
  assert.deepEqual(counts(result), [1, 0, 0]);
});

test("import tells how to decompress a gzip file", async (t) => {
  const world = await emptyWorld(t);
  assert.deepEqual(await errorsOf(world, gzipSync(lines(record(1)))), [
    "file: is compressed with gzip; decompress it first",
  ]);
});

test("import rejects a line, row or record that is too long, without reading it into memory", async (t) => {
  const world = await emptyWorld(t);
  const long = `{"id":1,"subject":"${"x".repeat(3_000_000)}","sent_at":"2024-01-01"}`;
  assert.deepEqual(
    await errorsOf(world, `${lines(record(1, { id: 0 }))}${long}\n${lines(record(2, { id: 0 }))}`),
    [
      "line 1: id: 0 is not a whole number from 1 to 9007199254740991",
      "line 2: is longer than 2097152 characters",
    ],
  );
  assert.deepEqual(
    await errorsOf(world, `id,subject,sent_at\n0,a,2024-01-01\n1,${"x".repeat(3_000_000)},2024-01-01\n`),
    [
      'line 2: id: "0" is not a whole number from 1 to 9007199254740991',
      "line 3: is longer than 2097152 characters; the rest of the file was not read",
    ],
  );
  for (const [start, where] of [
    ['[{"id":1,"subject":"', "[0]"],
    ['{"emails":[{"id":1},{"id":2,"subject":"', "emails[1]"],
    ['{"meta":"', "document 1"],
  ] as const) {
    const printed = await errorsOf(world, start + "x".repeat(3_000_000));
    assert.equal(printed.at(-1), `${where}: is longer than 2097152 characters`);
  }
});
