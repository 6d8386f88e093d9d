// The JSON formats that `import` reads: saved API pages, arrays and NDJSON.

import assert from "node:assert/strict";
import test from "node:test";
import { lines, read, record } from "../../support/import-files.ts";

const meta = { page: 1, per_page: 10, total_entries: 2, total_pages: 1 };
const page = (...ids: number[]) => ({ emails: ids.map((id) => record(id)), meta });

test("import reads a saved API page, in one line or indented, with its keys in any order", async () => {
  const expected = ["emails[0]: 1", "emails[1]: 2"];
  assert.deepEqual(await read(JSON.stringify(page(1, 2))), expected);
  assert.deepEqual(await read(JSON.stringify(page(1, 2), null, 2)), expected);
  assert.deepEqual(await read(JSON.stringify(page(1, 2), null, "\t").replaceAll("\n", "\r\n")), expected);
  assert.deepEqual(await read(JSON.stringify({ meta, emails: page(1, 2).emails })), expected);
  assert.deepEqual(await read(JSON.stringify({ meta, emails: page(1, 2).emails }, null, 4)), expected);
  assert.deepEqual(await read(`\ufeff \n${JSON.stringify(page(1, 2))}\n\n`), expected);
});

test("an empty page and an empty array have no records and no errors", async () => {
  for (const content of ['{"emails":[],"meta":{}}', '{\n"emails" : [ ]\n}', "[]", " [\n]\n"]) {
    assert.deepEqual(await read(content), [], content);
  }
});

test("import reads several pages in one file, with or without line breaks between them", async () => {
  const expected = ["emails[0]: 1", "emails[1]: 2", "emails[2]: 3"];
  const [first, last] = [JSON.stringify(page(1, 2)), JSON.stringify(page(3))];
  assert.deepEqual(await read(first + last), expected);
  assert.deepEqual(await read(`${first}\n${last}\n`), expected);
  const found = await read(`${JSON.stringify(page(1, 2), null, 2)}\n\n${JSON.stringify(page(3), null, 2)}`);
  assert.deepEqual(found, expected);
});

test("a page without emails is an error, so that no missing page goes unnoticed", async () => {
  const failure = '{"error":"unauthorized","error_message":"…"}';
  const expected = 'document 2: has no array "emails"';
  assert.deepEqual(await read(`${JSON.stringify(page(1))}\n${failure}\n${JSON.stringify(page(2))}\n`), [
    "emails[0]: 1",
    expected,
    "emails[1]: 2",
  ]);
  for (const other of ['{"emails":{}}', '{"emails":null}', '{"data":[["emails"]]}', "[]", "5", "null"]) {
    assert.deepEqual(await read(`${JSON.stringify(page(1))}${other}`), ["emails[0]: 1", expected], other);
  }
  const pretty = await read('{\n  "id": 1,\n  "subject": "x"\n}');
  assert.deepEqual(pretty, ['document 1: has no array "emails"']);
});

test("import reads a JSON array and reports positions by index", async () => {
  assert.deepEqual(await read(JSON.stringify([record(5), record(6)])), ["[0]: 5", "[1]: 6"]);
  assert.deepEqual(await read(JSON.stringify([record(5), record(6)], null, 2)), ["[0]: 5", "[1]: 6"]);
});

test("import reads NDJSON with CRLF, blank lines, and a last line without a line break", async () => {
  const [first, second] = [JSON.stringify(record(1)), JSON.stringify(record(2))];
  assert.deepEqual(await read(`${first}\n${second}\n`), ["line 1: 1", "line 2: 2"]);
  assert.deepEqual(await read(`${first}\r\n${second}\r\n`), ["line 1: 1", "line 2: 2"]);
  assert.deepEqual(await read(`${first}\n\n  \n${second}`), ["line 1: 1", "line 4: 2"]);
  assert.deepEqual(await read(`\ufeff${first}`), ["line 1: 1"]);
});

test("import reads NDJSON lines that are whole pages", async () => {
  const content = lines(record(1), page(2, 3), { emails: [] }, record(4));
  assert.deepEqual(await read(content), [
    "line 1: 1",
    "line 2, emails[0]: 2",
    "line 2, emails[1]: 3",
    "line 4: 4",
  ]);
});

test("import reads an array of pages, and a record with a field named emails as a record", async () => {
  assert.deepEqual(await read(JSON.stringify([page(1, 2), page(3), record(4)])), [
    "[0], emails[0]: 1",
    "[0], emails[1]: 2",
    "[1], emails[0]: 3",
    "[2]: 4",
  ]);
  assert.deepEqual(await read(lines(record(5, { emails: [] }))), ["line 1: 5"]);
});
