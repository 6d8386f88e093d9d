// Files of which `import` cannot read all: no text, no JSON, cut off, missing, or without an end.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { counts, emptyWorld, faults, file, lines, record, told } from "../../support/importing.ts";
import { run } from "../../support/world.ts";

test("what is no UTF-8 text is refused, with a word on how to save it", async (t) => {
  const world = await emptyWorld(t);
  const wanted = ["file: is not UTF-8 text; save it as UTF-8 (in Excel: CSV UTF-8)"];
  const csv = "id,subject,sent_at\n1,Grüße,2024-01-01\n";
  assert.deepEqual(await faults(world, Buffer.from(csv, "latin1")), wanted);
  assert.deepEqual(await faults(world, Buffer.from(`\ufeff${csv}`, "utf16le")), wanted);
  assert.deepEqual(await faults(world, Buffer.from(csv).subarray(0, 24)), wanted);
  const late = Buffer.concat([Buffer.from(lines(record(1))), Buffer.from([0xed, 0xa0, 0x80])]);
  assert.deepEqual(await faults(world, late), wanted);
});

test("NUL and halves of surrogate pairs are refused, because they would not come back", async (t) => {
  const world = await emptyWorld(t);
  const content =
    '{"id":1,"subject":"a\\u0000","sent_at":"2024-01-01"}\n{"id":2,"subject":"\\ud83d","sent_at":"2024-01-01"}';
  const wanted = "is not text of at most 65536 characters, without NUL or unpaired surrogates";
  assert.deepEqual(await faults(world, content), [
    `line 1: subject: "a\\u0000" ${wanted}`,
    `line 2: subject: "\\ud83d" ${wanted}`,
  ]);
  assert.deepEqual(await faults(world, "id,subject,sent_at\n1,a\0,2024-01-01\n"), [
    `line 2: subject: "a\\u0000" ${wanted}`,
  ]);
});

test("a file that was cut, or is no JSON, is refused after the faults before that", async (t) => {
  const world = await emptyWorld(t);
  const start = JSON.stringify({ emails: [record(1, { id: -1 }), record(2)] });
  const fault = "emails[0]: id: -1 is not a whole number from 1 to 9007199254740991";
  for (const length of [2, 3, 10]) {
    assert.deepEqual(await faults(world, start.slice(0, -length)), [
      fault,
      "after 1 record: the JSON ends in the middle; the file was cut",
    ]);
  }
  assert.deepEqual(await faults(world, '[{"id":'), [
    "after 0 records: the JSON ends in the middle; the file was cut",
  ]);
  const [first, second = ""] = await faults(world, `${start} oops`);
  assert.equal(first, fault);
  assert.equal(second, `document 2: is not valid JSON: Unexpected token 'o', "oops" is not valid JSON`);
});

test("an empty file is refused", async (t) => {
  const world = await emptyWorld(t);
  for (const content of ["", "\ufeff", " \r\n\t\n"])
    assert.deepEqual(await faults(world, content), ["file: is empty"]);
});

test("a file that is missing or is a folder is refused, and the file before it stays", async (t) => {
  const world = await emptyWorld(t);
  const good = file(world, lines(record(1)));
  const [missing, folder] = [join(world.folder, "missing.json"), join(world.folder, "folder")];
  mkdirSync(folder);
  const argv = ["import", "--organization", "1", "--json", good, missing, folder];
  const result = await run(world.databaseUrl, argv);
  assert.deepEqual([result.exitCode, counts(result)], [1, [1, 0, 0]]);
  assert.deepEqual(told(result), [
    `${missing}: file: cannot be read: ENOENT: no such file or directory, open '${missing}'`,
    `${folder}: file: cannot be read: EISDIR: illegal operation on a directory, read`,
    "error: 2 faults; a file with a fault is not imported",
  ]);
});

test("a line, row or record that is longer than any can be is refused, and does not fill the memory", async (t) => {
  const world = await emptyWorld(t);
  const long = `{"id":1,"subject":"${"x".repeat(3_000_000)}","sent_at":"2024-01-01"}`;
  assert.deepEqual(
    await faults(world, `${lines(record(1, { id: 0 }))}${long}\n${lines(record(2, { id: 0 }))}`),
    [
      "line 1: id: 0 is not a whole number from 1 to 9007199254740991",
      "line 2: is longer than 2097152 characters",
    ],
  );
  assert.deepEqual(
    await faults(world, `id,subject,sent_at\n0,a,2024-01-01\n1,${"x".repeat(3_000_000)},2024-01-01\n`),
    [
      "line 2: id: 0 is not a whole number from 1 to 9007199254740991",
      "line 3: is longer than 2097152 characters; the file was not read from here on",
    ],
  );
  for (const [start, where] of [
    ['[{"id":1,"subject":"', "[0]"],
    ['{"emails":[{"id":1},{"id":2,"subject":"', "emails[1]"],
    ['{"meta":"', "document 1"],
  ] as const) {
    const told = await faults(world, start + "x".repeat(3_000_000));
    assert.equal(told.at(-1), `${where}: is longer than 2097152 characters`);
  }
});
