// CSV files that `import` reads, including those that Excel writes.

import assert from "node:assert/strict";
import test from "node:test";
import { counts, exported, importing, record, stderrLines } from "../../support/import-files.ts";
import { makeAcme, type makeWorld } from "../../support/world.ts";

/** Imports a CSV file and returns these fields of its records, by ID. */
async function imported(t: Parameters<typeof makeWorld>[0], content: string | Uint8Array, fields: string[]) {
  const { world } = await makeAcme(t);
  const result = await importing(world, content);
  assert.deepEqual([result.exitCode, stderrLines(result)], [0, []]);
  const records = (await exported(world)).sort((a, b) => Number(a.id) - Number(b.id));
  return records.map((each) => fields.map((field) => each[field]));
}

test("import reads CSV columns by the names in the header, with or without quotes", async (t) => {
  const content =
    'sent_at,"subject",id,open_rate\n"Jan 1, 2024 9:00 AM","Hello, ""you""",7,0.25\n2024-01-02,Bye,8,1\n';
  assert.deepEqual(await imported(t, content, ["id", "subject", "sent_at", "open_rate"]), [
    [7, 'Hello, "you"', "2024-01-01T09:00:00.000Z", 0.25],
    [8, "Bye", "2024-01-02T00:00:00.000Z", 1],
  ]);
});

test("import reads the example of the README after Excel saved it", async (t) => {
  const content =
    '\ufeffid,subject,sent_at,recipient_count,open_rate\r\n1,x,1/2/2024 9:00,"1,240",65%\r\n2,y,1/16/2024 14:30,1238,76.01%\r\n';
  assert.deepEqual(await imported(t, content, ["id", "sent_at", "recipient_count", "open_rate"]), [
    [1, "2024-01-02T09:00:00.000Z", 1240, 0.65],
    [2, "2024-01-16T14:30:00.000Z", 1238, 0.7601],
  ]);
});

test("import reads the CSV that Excel writes with decimal commas: BOM, semicolons, CRLF", async (t) => {
  const content =
    "\ufeffid;subject;sent_at;open_rate;click_rate;total_opens;enps_score_average\r\n" +
    '1;"Guten Tag; Grüße";2024-01-01T09:00:00Z;0,25;1E-05;40;-1,5\r\n' +
    "2;B;2024-01-01T09:00:00Z;1,5E-07;0.5;0;8,25\r\n";
  const fields = ["subject", "open_rate", "click_rate", "total_opens", "enps_score_average"];
  assert.deepEqual(await imported(t, content, fields), [
    ["Guten Tag; Grüße", 0.25, 0.00001, 40, -1.5],
    ["B", 0.00000015, 0.5, 0, 8.25],
  ]);
});

test("import reads CSV cells separated by tabs", async (t) => {
  const content = "id\tsubject\tsent_at\n1\tHello, you; there\t2024-01-01\n";
  assert.deepEqual(await imported(t, content, ["subject"]), [["Hello, you; there"]]);
});

test("quoted CSV cells keep line breaks, spaces and separators", async (t) => {
  const content =
    'id,subject,sent_at,recipients\n1," a\r\nb\n,c ",2024-01-01,"HQ, Sales"\n2,d,2024-01-01,x\n';
  assert.deepEqual(await imported(t, content, ["subject", "recipients"]), [
    [" a\r\nb\n,c ", "HQ, Sales"],
    ["d", "x"],
  ]);
});

test("an empty CSV cell is a missing value, and a quoted empty cell is empty text", async (t) => {
  const content = 'id,subject,sent_at,sent_from,recipients,open_rate\n1,"",2024-01-01,,"",\n';
  assert.deepEqual(await imported(t, content, ["subject", "sent_from", "recipients", "open_rate"]), [
    ["", null, "", null],
  ]);
});

test("import reads tags from one CSV cell, with or without color, and with escaped semicolons", async (t) => {
  const content =
    "id,subject,sent_at,tags\n" +
    '1,a,2024-01-01,"News #4E79A7; Newsletter ;Big news #abcdef"\n' +
    "2,b,2024-01-01,\n" +
    '3,c,2024-01-01,"a\\;b #000000;c\\\\;#123456;C# #000001;x\\y;;"\n';
  const tags = (await imported(t, content, ["tags"])).map(([of]) =>
    (of as { name: string; color: string }[]).map(({ name, color }) => `${name} ${color}`),
  );
  assert.deepEqual(tags, [
    ["Big news #abcdef", "News #4E79A7", "Newsletter #79706E"],
    [],
    ["#123456 #EDC948", "C# #000001", "a;b #000000", "c\\ #F28E2B", "x\\y #76B7B2"],
  ]);
});

test("CSV lines can end in LF, CRLF or CR, even in one file, and blank lines are skipped", async (t) => {
  const content =
    "id,subject,sent_at\r\n1,a,2024-01-01\n\n2,b,2024-01-01\r3,c,2024-01-01\r\n\r\n4,d,2024-01-01";
  assert.deepEqual(await imported(t, content, ["id", "subject"]), [
    [1, "a"],
    [2, "b"],
    [3, "c"],
    [4, "d"],
  ]);
});

test("a CSV file with only a header has no records and no errors", async (t) => {
  assert.deepEqual(await imported(t, "id,subject,sent_at\n", ["id"]), []);
});

test("import ignores unknown CSV columns with a warning", async (t) => {
  const { world } = await makeAcme(t);
  const result = await importing(world, "id,subject,sent_at,Owner,constructor\n1,a,2024-01-01,me,x\n");
  assert.deepEqual(counts(result), [1, 0, 0]);
  const [summary = {}] = result.rows;
  assert.deepEqual((summary.warnings as string[]).slice(0, 2), [
    "Owner: unknown field, ignored in 1 record",
    "constructor: unknown field, ignored in 1 record",
  ]);
});

/** The errors of a CSV file. */
async function errorsOf(t: Parameters<typeof makeWorld>[0], content: string): Promise<string[]> {
  const { world } = await makeAcme(t);
  const result = await importing(world, content);
  assert.equal(result.exitCode, 1);
  assert.deepEqual(await exported(world), []);
  return stderrLines(result).slice(0, -1);
}

test("import rejects text in a number column of a CSV file", async (t) => {
  const wanted = "is not a number of at least 0";
  const content =
    "id,subject,sent_at,open_rate\n1,a,2024-01-01,half\n2,b,2024-01-01,.5\n3,c,2024-01-01,0x1\n";
  assert.deepEqual(await errorsOf(t, `${content}4,d,2024-01-01,"1.000,5"\n`), [
    `line 2: open_rate: "half" ${wanted}`,
    `line 3: open_rate: ".5" ${wanted}`,
    `line 4: open_rate: "0x1" ${wanted}`,
    `line 5: open_rate: "1.000,5" ${wanted}`,
  ]);
});

test("import ignores what spreadsheets add: sep=, empty rows, empty columns and quoted empty cells", async (t) => {
  const content =
    'sep=;\r\nid;subject;sent_at;unique_opens;;\r\n"1";"a";"2024-01-01";"";;\r\n2;b;2024-01-01;7;;\r\n;;;;;\r\n';
  assert.deepEqual(await imported(t, content, ["id", "subject", "unique_opens"]), [
    [1, "a", null],
    [2, "b", 7],
  ]);
});

test("import reports CSV errors with the line at which the record starts, for all kinds of line breaks", async (t) => {
  const content =
    'id,subject,sent_at\r\n\r\n1,"two\r\nlines",soon\r\n2,"three\n\nlines",soon\n\n\n3,x,soon\n4,x\n';
  const starts = (await errorsOf(t, content)).map((error) => error.split(": ").slice(0, 2).join(": "));
  assert.deepEqual(starts, [
    ...["line 3: sent_at", "line 5: sent_at", "line 10: sent_at"],
    "line 11: has 2 columns; the header has 3",
  ]);
});

test("import rejects a CSV header without the required columns or with a duplicate", async (t) => {
  assert.deepEqual(await errorsOf(t, "hello world\nmore\n"), [
    "line 1: has no column id, subject, sent_at; the header must contain the field names in lowercase, or its columns must be mapped (--map)",
  ]);
  assert.deepEqual(await errorsOf(t, "\nid,subject\n1,a\n"), [
    "line 2: has no column sent_at; the header must contain the field names in lowercase, or its columns must be mapped (--map)",
  ]);
  assert.deepEqual(await errorsOf(t, "id,subject,sent_at,subject\n1,a,2024-01-01,b\n"), [
    'line 1: has the column "subject" twice',
  ]);
});

test("import rejects a CSV header with more than 1,000 columns", async (t) => {
  const fileOf = (columns: number) => {
    const others = Array.from({ length: columns - 3 }, (_, index) => `other_${index}`);
    return `id,subject,sent_at,${others.join()}\n1,a,soon${",".repeat(columns - 3)}\n`;
  };
  const found = (await errorsOf(t, fileOf(1_000))).map((error) => error.split(': "')[0]);
  assert.deepEqual(found, ["line 2: sent_at"]);
  assert.deepEqual(await errorsOf(t, fileOf(1_001)), [
    "line 1: has more than 1000 columns; the rest of the file was not read",
  ]);
});

test("import stops at an invalid quote in CSV, and reports the errors before it", async (t) => {
  const start = `${Object.keys(record(1)).join()}\n1,a,soon\n\n`;
  const first = /^line 2: sent_at: "soon" is not a time/;
  const cases = {
    '2,"a"b,2024-01-01\n3,a,soon\n':
      "line 4: has text after a closing quote; double the quotes inside a quoted cell; the rest of the file was not read",
    '2,a "b",2024-01-01\n3,a,soon\n':
      "line 4: has a quote in an unquoted cell; quote the cell and double the quotes inside it; the rest of the file was not read",
    '2,"a,2024-01-01\n3,a,soon\n':
      "line 4: has a quoted cell without a closing quote; the rest of the file was not read",
  };
  for (const [rest, expected] of Object.entries(cases)) {
    const [error = "", ...others] = await errorsOf(t, start + rest);
    assert.match(error, first);
    assert.deepEqual(others, [expected]);
  }
});
