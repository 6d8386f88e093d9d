// CSV files that `import` takes, as people and as Excel write them.

import assert from "node:assert/strict";
import test from "node:test";
import { counts, exported, importing, record, told } from "../../support/importing.ts";
import { makeWorld } from "../../support/world.ts";

/** What a CSV file comes to: the given fields of its records, by id. */
async function imported(t: Parameters<typeof makeWorld>[0], content: string | Uint8Array, fields: string[]) {
  const world = await makeWorld(t);
  await world.addOrganization();
  const result = await importing(world, content);
  assert.deepEqual([result.exitCode, told(result)], [0, []]);
  const records = (await exported(world)).sort((a, b) => Number(a.id) - Number(b.id));
  return records.map((each) => fields.map((field) => each[field]));
}

test("the header names the fields, in any order, and cells may be quoted", async (t) => {
  const content =
    'sent_at,"subject",id,open_rate\n"Jan 1, 2024 9:00 AM","Hello, ""you""",7,0.25\n2024-01-02,Bye,8,1\n';
  assert.deepEqual(await imported(t, content, ["id", "subject", "sent_at", "open_rate"]), [
    [7, 'Hello, "you"', "2024-01-01T09:00:00.000Z", 0.25],
    [8, "Bye", "2024-01-02T00:00:00.000Z", 1],
  ]);
});

test("as Excel writes it where the decimal sign is a comma: BOM, semicolons, CRLF", async (t) => {
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

test("tabs separate cells as well", async (t) => {
  const content = "id\tsubject\tsent_at\n1\tHello, you; there\t2024-01-01\n";
  assert.deepEqual(await imported(t, content, ["subject"]), [["Hello, you; there"]]);
});

test("quoted cells keep their line ends, spaces and separators", async (t) => {
  const content =
    'id,subject,sent_at,recipients\n1," a\r\nb\n,c ",2024-01-01,"HQ, Sales"\n2,d,2024-01-01,x\n';
  assert.deepEqual(await imported(t, content, ["subject", "recipients"]), [
    [" a\r\nb\n,c ", "HQ, Sales"],
    ["d", "x"],
  ]);
});

test("an empty cell is no value, a quoted empty one is empty text", async (t) => {
  const content = 'id,subject,sent_at,sent_from,recipients,open_rate\n1,"",2024-01-01,,"",\n';
  assert.deepEqual(await imported(t, content, ["subject", "sent_from", "recipients", "open_rate"]), [
    ["", null, "", null],
  ]);
});

test("tags stand in one cell, with or without a colour, and a backslash goes before a semicolon of a name", async (t) => {
  const content =
    "id,subject,sent_at,tags\n" +
    '1,a,2024-01-01,"News #4E79A7; Newsletter ;Big news #abcdef"\n' +
    "2,b,2024-01-01,\n" +
    '3,c,2024-01-01,"a\\;b #000000;c\\\\;#123456;C# #000001;x\\y;;"\n';
  assert.deepEqual(await imported(t, content, ["tags"]), [
    [
      [
        { name: "Big news", color: "#abcdef" },
        { name: "News", color: "#4E79A7" },
        { name: "Newsletter", color: "#79706E" },
      ],
    ],
    [[]],
    [
      [
        { name: "#123456", color: "#EDC948" },
        { name: "C#", color: "#000001" },
        { name: "a;b", color: "#000000" },
        { name: "c\\", color: "#F28E2B" },
        { name: "x\\y", color: "#76B7B2" },
      ],
    ],
  ]);
});

test("lines may end in LF, CRLF or CR, even in one file, and blank ones are skipped", async (t) => {
  const content =
    "id,subject,sent_at\r\n1,a,2024-01-01\n\n2,b,2024-01-01\r3,c,2024-01-01\r\n\r\n4,d,2024-01-01";
  assert.deepEqual(await imported(t, content, ["id", "subject"]), [
    [1, "a"],
    [2, "b"],
    [3, "c"],
    [4, "d"],
  ]);
});

test("a header without rows has no records and no fault", async (t) => {
  assert.deepEqual(await imported(t, "id,subject,sent_at\n", ["id"]), []);
});

test("columns that the record does not know are left out and named", async (t) => {
  const world = await makeWorld(t);
  await world.addOrganization();
  const result = await importing(world, "id,subject,sent_at,Owner,constructor\n1,a,2024-01-01,me,x\n");
  assert.deepEqual(counts(result), [1, 0, 0]);
  const [summary = {}] = result.rows;
  assert.deepEqual((summary.warnings as string[]).slice(0, 2), [
    "Owner: is no field of a record; left out of 1 record",
    "constructor: is no field of a record; left out of 1 record",
  ]);
});

/** The faults of a CSV file. */
async function faults(t: Parameters<typeof makeWorld>[0], content: string): Promise<string[]> {
  const world = await makeWorld(t);
  await world.addOrganization();
  const result = await importing(world, content);
  assert.equal(result.exitCode, 1);
  assert.deepEqual(await exported(world), []);
  return told(result).slice(0, -1);
}

test("what is no number in the column of a number is refused as it stands", async (t) => {
  const wanted = "is not a number of at least 0";
  const content = "id,subject,sent_at,open_rate\n1,a,2024-01-01,25%\n2,b,2024-01-01,.5\n3,c,2024-01-01,0x1\n";
  assert.deepEqual(await faults(t, `${content}4,d,2024-01-01,"0,5"\n`), [
    `line 2: open_rate: "25%" ${wanted}`,
    `line 3: open_rate: ".5" ${wanted}`,
    `line 4: open_rate: "0x1" ${wanted}`,
    `line 5: open_rate: "0,5" ${wanted}`,
  ]);
});

test("a comma or a point in a whole number is refused, because it could mean thousands", async (t) => {
  const wanted = "is not a whole number from 0 to 9007199254740991";
  assert.deepEqual(
    await faults(t, "id;subject;sent_at;unique_opens\n1;a;2024-01-01;1,000\n2;b;2024-01-01;1.000\n"),
    [`line 2: unique_opens: "1,000" ${wanted}`, `line 3: unique_opens: "1.000" ${wanted}`],
  );
  assert.deepEqual(await faults(t, "id,subject,sent_at,unique_opens\n1,a,2024-01-01,10.000\n"), [
    `line 2: unique_opens: "10.000" ${wanted}`,
  ]);
});

test("what spreadsheets leave around the data does not matter: sep=, empty rows and columns, quoted nothing", async (t) => {
  const content =
    'sep=;\r\nid;subject;sent_at;unique_opens;;\r\n"1";"a";"2024-01-01";"";;\r\n2;b;2024-01-01;7;;\r\n;;;;;\r\n';
  assert.deepEqual(await imported(t, content, ["id", "subject", "unique_opens"]), [
    [1, "a", null],
    [2, "b", 7],
  ]);
});

test("faults are named by the line at which a record begins, whatever line ends stand before it", async (t) => {
  const content =
    'id,subject,sent_at\r\n\r\n1,"two\r\nlines",soon\r\n2,"three\n\nlines",soon\n\n\n3,x,soon\n4,x\n';
  const starts = (await faults(t, content)).map((fault) => fault.split(": ").slice(0, 2).join(": "));
  assert.deepEqual(starts, [
    "line 3: sent_at",
    "line 5: sent_at",
    "line 10: sent_at",
    "line 11: has 2 columns where the header has 3",
  ]);
});

test("a header without the needed columns, or with one twice, is refused", async (t) => {
  assert.deepEqual(await faults(t, "hello world\nmore\n"), [
    "line 1: has no column id, subject, sent_at; the field names, in lower case, must be the header",
  ]);
  assert.deepEqual(await faults(t, "\nid,subject\n1,a\n"), [
    "line 2: has no column sent_at; the field names, in lower case, must be the header",
  ]);
  assert.deepEqual(await faults(t, "id,subject,sent_at,subject\n1,a,2024-01-01,b\n"), [
    'line 1: has the column "subject" twice',
  ]);
});

test("a broken quote is the last fault that is named, after those before it", async (t) => {
  const start = `${Object.keys(record(1)).join()}\n1,a,soon\n\n`;
  const first = /^line 2: sent_at: "soon" is not a time/;
  const cases = {
    '2,"a"b,2024-01-01\n3,a,soon\n':
      "line 4: has text after the end of a quoted cell; a quote inside one is written twice; the file was not read from here on",
    '2,a "b",2024-01-01\n3,a,soon\n':
      "line 4: has a quote in a cell that is not quoted; such a cell is quoted, and the quote written twice; the file was not read from here on",
    '2,"a,2024-01-01\n3,a,soon\n':
      "line 4: has a quoted cell that does not end; the file was not read from here on",
  };
  for (const [rest, expected] of Object.entries(cases)) {
    const [fault = "", ...others] = await faults(t, start + rest);
    assert.match(fault, first);
    assert.deepEqual(others, [expected]);
  }
});
