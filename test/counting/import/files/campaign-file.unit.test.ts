// readCampaignFile: chunks of any size, continuing after an invalid record, and closing the file.

import assert from "node:assert/strict";
import test from "node:test";
import { readCampaignFile } from "../../../../src/counting/import/files/campaign-file.ts";
import { FileResult } from "../../../../src/counting/import/import-total.ts";
import { Warnings } from "../../../../src/counting/import/import-warnings.ts";
import type { FileEntry } from "../../../../src/counting/import/mapping/file-entry.ts";
import { entriesOf, lines, read, record } from "../../../support/import-files.ts";

const meta = { page: 1, per_page: 10, total_entries: 2, total_pages: 1 };
const page = (...ids: number[]) => ({ emails: ids.map((id) => record(id)), meta });

test("readCampaignFile gives the same entries for chunks of any size", async () => {
  const odd = record(1, {
    subject: '\ufeffä😀"\\\ufeff \u2028 {[,;',
    tags: [{ name: "x;y", color: "#000000" }],
  });
  const contents = [
    lines(odd, record(2), page(3)),
    JSON.stringify({ meta, emails: [odd, record(2)] }, null, 2),
    JSON.stringify(page(1)) + JSON.stringify({ error: "x" }),
    JSON.stringify([odd, record(2)]),
    '\ufeffid;subject;sent_at;tags\r\n1;"a""b\r\n;😀";2024-01-01;"x\\;y #000000;z"\r\n\r\n2;"";2024-01-01;\r\n',
    "id,subject,sent_at\n1,a\rb,2024-01-01\n",
    '{"emails":[{"id":1},{"id"',
    'id,subject,sent_at\n1,"a,2024',
    "\ufeff",
    Buffer.from([0x7b, 0x22, 0xff, 0x22]),
  ];
  for (const content of contents) {
    const whole = await entriesOf(content);
    assert.ok(whole.length > 0);
    for (const chunkLength of [1, 2, 3, 7, 64]) {
      assert.deepEqual(
        await entriesOf(content, chunkLength),
        whole,
        `${content} in chunks of ${chunkLength}`,
      );
    }
  }
});

test("readCampaignFile reads on after a record that is not JSON", async () => {
  const syntax =
    "is not valid JSON: Expected double-quoted property name in JSON at position 8 (line 1 column 9)";
  assert.deepEqual(await read('[{"id":1,},{"id":2},{"id":3],{"id":4}]'), [
    `[0]: ${syntax}`,
    "[1]: 2",
    "[2]: is not valid JSON: Expected ',' or '}' after property value in JSON at position 7 (line 1 column 8)",
    "[3]: 4",
  ]);
  assert.deepEqual(await read('{"emails":[{"id":1,},{"id":2}]}'), [`emails[0]: ${syntax}`, "emails[1]: 2"]);
  const message = "[1]: is not valid JSON: Unexpected end of JSON input";
  assert.deepEqual(await read('[{"id":1},]'), ["[0]: 1", message]);
  const text =
    "document 1: is not valid JSON: Expected double-quoted property name in JSON at position 13 (line 1 column 14)";
  assert.deepEqual(await read('{"emails":[{"id":1}],}'), ["emails[0]: 1", text]);
  assert.deepEqual(await read('[{"id":1}]{"id":2}'), ["[0]: 1", "document 2: is not an array"]);
  for (const broken of ['{"emails":[}', '{"emails":[{"id":1}}', '{"emails":[{"id":1}]']) {
    assert.match(
      (await read(broken)).at(-1) ?? "",
      /: the JSON ends too early; the file is truncated$/,
      broken,
    );
  }
  for (const broken of [
    '{"meta":1 "emails":[]}',
    "[]]",
    '{"emails":[}]',
    '{"meta":1,"emails" []}',
    '{"meta":x}',
  ]) {
    assert.match((await read(broken)).at(-1) ?? "", /^document \d: is not valid JSON: /, broken);
  }
});

test("readCampaignFile closes the file at its end, and when it stops early", async () => {
  const starts = [
    ...["name,mail\n", "{]", "[1,]", '{"emails":[}', 'id,subject,sent_at\n1,a"b,c\n', "\xff", "{}", "[]"],
  ];
  for (const start of starts) {
    let isClosed = false;
    async function* bytes() {
      try {
        for (const chunk of [start, "x".repeat(3_000_000), " "]) yield Buffer.from(chunk, "latin1");
      } finally {
        isClosed = true;
      }
    }
    let last: FileEntry | undefined;
    for await (const entry of readCampaignFile(bytes(), () => ({ timeZone: "UTC" }))) last = entry;
    assert.ok(last && "problem" in last, start);
    assert.ok(isClosed, start);
  }
});

test("readCampaignFile stops at what would take too much memory in any format", async () => {
  const csv = "id,subject,sent_at\n";
  const nested = (count: number) => `${"[".repeat(count)}${"]".repeat(count)}`;
  const emptyRows = "file: has more than 100000 empty rows; delete them";
  const [deep, many] = ["is nested more than 32 deep", "has more than 100000 values"];
  const cases: [string, string][] = [
    [
      `${csv}1,"${"x".repeat(2_200_000)}`,
      "line 2: is longer than 2097152 characters; the rest of the file was not read",
    ],
    [csv + ",".repeat(2_000), "line 2: has more than 1000 columns; the rest of the file was not read"],
    [csv + "\n".repeat(100_001), emptyRows],
    [csv + ",,\n".repeat(100_001), emptyRows],
    [`{"id":1}${"\n".repeat(100_002)}`, emptyRows],
    [`{"tags":${nested(33)}}`, `line 1: ${deep}`],
    [`{"tags":[${"0,".repeat(100_001)}0]}`, `line 1: ${many}`],
    [`[{"tags":${nested(33)}}]`, `[0]: ${deep}`],
    [`{"emails":[{"tags":[${"0,".repeat(100_001)}0]}]}`, `emails[0]: ${many}`],
    [`{"emails":[],"meta":${nested(33)}}`, `document 1: ${deep}`],
    [`[${"[".repeat(2_200_000)}`, "[0]: is longer than 2097152 characters"],
  ];
  for (const [content, problem] of cases) {
    assert.equal((await read(content)).at(-1), problem, content.slice(0, 40));
  }
  // A long error counts with its start.
  const result = new FileResult(new Warnings());
  result.addError("line 1", "x".repeat(1_000_000));
  assert.equal(result.errors[0]?.length, 5_000);
  // Brackets and commas in texts do not count, and a list is found behind many others.
  const text = `${"[{,".repeat(40_000)}\\"`;
  assert.deepEqual(await read(`{"id":1,"subject":${JSON.stringify(text)}}\n`), ["line 1: 1"]);
  const others = '"a":{},'.repeat(90_000);
  assert.deepEqual(await read(`{"meta":1,${others}"emails" :\n[{"id":1}]}`), ["emails[0]: 1"]);
});
