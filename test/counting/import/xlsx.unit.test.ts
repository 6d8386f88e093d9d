// Excel workbooks: cells as people see them, and clear refusals of what is no table.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { Readable } from "node:stream";
import test from "node:test";
import { readXlsxRows } from "../../../src/counting/import/xlsx/xlsx-rows.ts";
import { entriesOf } from "../../support/import-files.ts";
import { workbook, zip } from "../../support/xlsx.ts";

const header = `<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="inlineStr"><is><t>open_rate</t></is></c><c r="D1" t="inlineStr"><is><t>unique_opens</t></is></c></row>`;
const own = header
  .replace(`t="s"><v>0</v>`, `t="inlineStr"><is><t>subject</t></is>`)
  .replace(`t="s"><v>1</v>`, `t="inlineStr"><is><t>sent_at</t></is>`);

/** The records, without ids and columns, or the problems. */
async function read(content: Buffer): Promise<unknown[]> {
  return (await entriesOf(content)).map((entry) => {
    if ("problem" in entry) return `${entry.where}: ${entry.problem}`;
    const { id: _, ...record } = entry.record as Record<string, unknown>;
    return record;
  });
}

const sheet = (rows: string, more = {}) => read(zip(workbook(own + rows, more)));

test("reads texts, dates, percentages and numbers of the first visible sheet, whatever cells it leaves out", async () => {
  const rows = `<row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2" s="1"><v>45817.895833333336</v></c><c r="C2" s="2"><v>0.27779999999999999</v></c><c r="D2"><v>30</v></c></row>
<row r="4"><c r="A4" t="inlineStr"><is><t xml:space="preserve"> Two </t></is></c><c r="B4" s="4"><v>45819</v></c><c r="C4" s="3"><v>0.07</v></c></row>
<row r="5"><c r="A5" t="str"><v>Three</v></c><c r="B5" t="d"><v>2025-06-12T08:00:00</v></c><c r="D5" s="5"><v>1.2E3</v></c></row><row r="6"/>`;
  assert.deepEqual(await sheet(rows), [
    { subject: "Unique & Opens", sent_at: "2025-06-09T21:30:00.000Z", open_rate: 0.2778, unique_opens: 30 },
    { subject: " Two ", sent_at: "2025-06-11T00:00:00.000Z", open_rate: 0.07, unique_opens: null },
    { subject: "Three", sent_at: "2025-06-12T08:00:00.000Z", open_rate: null, unique_opens: 1200 },
  ]);
  const mac = {
    "xl/workbook.xml": workbook("")["xl/workbook.xml"]?.replace(
      "<workbookPr/>",
      `<workbookPr date1904="1"/>`,
    ),
  };
  const [first] = (await sheet(`<row><c t="str"><v>x</v></c><c s="4"><v>44355</v></c></row>`, mac)) as {
    sent_at: string;
  }[];
  assert.equal(first?.sent_at, "2025-06-09T00:00:00.000Z");
});

test("reads workbooks with prefixes, without styles and without shared texts", async () => {
  const parts = workbook("");
  const plain = {
    "xl/workbook.xml": parts["xl/workbook.xml"] ?? "",
    "xl/_rels/workbook.xml.rels": (parts["xl/_rels/workbook.xml.rels"] ?? "").replace(
      "worksheets/sheet1",
      "/xl/worksheets/sheet1",
    ),
    "xl/worksheets/sheet1.xml": `<x:worksheet xmlns:x="x"><x:sheetData><x:row><x:c t="str"><x:v>subject</x:v></x:c><x:c t="str"><x:v>sent_at</x:v></x:c></x:row><x:row><x:c t="str"><x:v>A</x:v></x:c><x:c t="str"><x:v>2024-01-01</x:v></x:c></x:row></x:sheetData></x:worksheet>`,
  };
  assert.deepEqual(await read(zip(plain)), [{ subject: "A", sent_at: "2024-01-01T00:00:00.000Z" }]);
});

test("reads escaped characters, leaves out readings and padding, and finds the sheet by any prefix", async () => {
  const inline = (text: string) => `<c t="inlineStr"><is>${text}</is></c>`;
  const subjects: [xml: string, subject: string][] = [
    ["<t>One_x000D_\nTwo</t>", "One\r\nTwo"],
    ["<t>a_x005F_x000D_b</t>", "a_x000D_b"],
    ["<t>_x0041_</t>", "A"],
    ["<t>_x00e9_</t>", "é"],
    ["<t>_xD83D__xDE00_</t>", "😀"],
    ["<t>_x12_ _xZZZZ_</t>", "_x12_ _xZZZZ_"],
    ['<t>東京都</t><rPh sb="0" eb="3"><t>とうきょうと</t></rPh><phoneticPr fontId="1"/>', "東京都"],
    ['<r><t>東</t></r><rPh sb="0" eb="1"><t>とう</t></rPh><r><t>京</t></r>', "東京"],
  ];
  const rows = subjects.map(([xml]) => `<row>${inline(xml)}<c t="str"><v>2024-01-01</v></c></row>`).join("");
  const expected = subjects.map(([, subject]) => subject);
  const found = (await sheet(rows)).map((record) => (record as { subject: string }).subject);
  assert.deepEqual(found, expected);
  const formats = ["#,##0_D", "#,##0\\ _S", "0*d", '_(* #,##0_);_(* "-"??_)', "#,##0.00_M", "[$-407]#,##0_h"];
  for (const format of formats) {
    const parts = workbook(
      `${own}<row r="2"><c r="A2" t="str"><v>x</v></c><c r="B2" s="1"><v>45817</v></c><c r="D2" s="4"><v>1234</v></c></row>`,
    );
    const styles = parts["xl/styles.xml"]?.replace("[Red]dd/mm/yyyy", format.replaceAll('"', "&quot;"));
    const [record] = (await read(zip({ ...parts, "xl/styles.xml": styles ?? "" }))) as {
      unique_opens: number;
    }[];
    assert.equal(record?.unique_opens, 1_234, format);
  }
  const parts = workbook(
    `${own}<row r="2"><c r="A2" t="str"><v>x</v></c><c r="B2" s="1"><v>45817</v></c></row>`,
  );
  const book = parts["xl/workbook.xml"] ?? "";
  const relations = parts["xl/_rels/workbook.xml.rels"] ?? "";
  for (const [workbookXml, relationsXml] of [
    [book.replaceAll("r:id", "rel:id").replace("xmlns:r=", "xmlns:rel="), relations],
    [book.replaceAll(' r:id="', ' xmlns:ns1="r" ns1:id="'), relations],
    [book, relations.replaceAll('Target="', 'Target="./')],
    [book, relations.replaceAll('Target="', 'Target="/xl/')],
    [book, relations.replaceAll('Target="', 'Target="xl/')],
    [book, relations.replaceAll('Target="', 'Target="../xl/')],
  ] as const) {
    const content = zip({
      ...parts,
      "xl/workbook.xml": workbookXml,
      "xl/_rels/workbook.xml.rels": relationsXml,
    });
    assert.deepEqual(await read(content), await read(zip(parts)), workbookXml + relationsXml);
  }
});

test("names the cells with formulas and errors, and reads the other rows", async () => {
  const rows = `<row r="2"><c r="A2" t="str"><v>a</v></c><c r="B2" s="1"><f>NOW()</f><v>45817</v></c></row><row r="3"><c r="A3" t="e"><v>#REF!</v></c></row><row r="4"><c r="A4" t="str"><v>b</v></c><c r="B4" s="1"><v>45817</v></c></row>`;
  assert.deepEqual(await sheet(rows), [
    "line 2: cell B2 has a formula; copy the cells and paste only their values",
    "line 3: cell A3 has the error #REF!",
    { subject: "b", sent_at: "2025-06-09T00:00:00.000Z", open_rate: null, unique_opens: null },
  ]);
});

test("says which sheets it does not read", async () => {
  const parts = workbook(own);
  const more = '<sheet name="2025 Q1" sheetId="3" r:id="rId3"/></sheets>';
  const book = parts["xl/workbook.xml"]?.replace("</sheets>", more) ?? "";
  const notices: string[] = [];
  const bytes = Readable.from([zip({ ...parts, "xl/workbook.xml": book })]);
  for await (const _ of readXlsxRows(bytes, (notice) => notices.push(notice)));
  assert.deepEqual(notices, ['only the sheet "Report" is imported; 1 sheet more']);
});

test("refuses too many columns, too long rows and what would unpack to too much", async () => {
  assert.deepEqual(await read(zip(workbook(`<row r="1"><c r="XFD1" t="str"><v>x</v></c></row>`))), [
    "line 1: has 16384 columns; a file may have 1000; the rest was not read",
  ]);
  assert.deepEqual(await read(zip(workbook(`<row r="1">${`<c t="str"><v>x</v></c>`.repeat(1_001)}</row>`))), [
    "line 1: has 1001 columns; a file may have 1000; the rest was not read",
  ]);
  // A text of 2 MB in each of many cells, that the file has once.
  const shared = { "xl/sharedStrings.xml": `<sst><si><t>${"x".repeat(2_000_000)}</t></si></sst>` };
  const cells = `<c t="s"><v>0</v></c>`.repeat(900);
  const expected = /^line 1: is longer than/;
  assert.match(String((await read(zip(workbook(`<row r="1">${cells}</row>`, shared))))[0]), expected);
  const repeated = (text: string) => zip(workbook(own + text.repeat(9_000_000 / text.length)));
  assert.deepEqual(await read(repeated("<row/>")), [
    "file: unpacks to more than 200 times its size; save the sheet as CSV UTF-8",
  ]);
  const bomb = zip(workbook(own), { "xl/worksheets/sheet1.xml": 3_000_000_000 });
  assert.deepEqual(await read(bomb), [
    "file: would have 2861 MB when it is unpacked; save the sheet as CSV UTF-8",
  ]);
  const [lying] = await read(zip(workbook(own + " ".repeat(5_000_000)), { "xl/worksheets/sheet1.xml": 100 }));
  assert.match(String(lying), /^file: is not an Excel workbook that can be read \(too many bytes/);
});

test("refuses a workbook before its parser holds what no workbook has", async () => {
  const part = (name: string, content: string) => zip(workbook(own, { [`xl/${name}.xml`]: content }));
  // Some that cannot be compressed keeps the ratio as that of other files.
  const noise = randomBytes(3_000).toString("hex");
  const long = (text: string) => (text.repeat(10) + noise).repeat(360);
  const refusals: [Buffer, string][] = [
    [zip(workbook("<a>".repeat(40))), "elements are nested more than 32 deep"],
    [part("sharedStrings", `<sst>${"<r>".repeat(40)}`), "elements are nested more than 32 deep"],
    ...[`<row><c t="str"><v>${long("x")}`, `<${long("x")}`, `<!--${long("x")}`].map(
      (rows): [Buffer, string] => [zip(workbook(rows)), "a tag or text has more than 2097152 characters"],
    ),
    ...[
      `<row r="${long("1")}`,
      `<row ${Array.from({ length: 20_000 }, (_, at) => `a${at}="" `).join("")}`,
    ].map((rows): [Buffer, string] => [zip(workbook(rows)), "a tag or text has more than 65536 characters"]),
  ];
  for (const [content, problem] of refusals) {
    assert.equal(
      (await read(content)).at(-1),
      `file: is not an Excel workbook that can be read (${problem}); save the sheet as CSV UTF-8`,
    );
  }
});

test("refuses what is no workbook, in words", async () => {
  const refusals: [Buffer, RegExp][] = [
    [
      Buffer.from("PK\u0003\u0004 and nothing else"),
      /is not an Excel workbook that can be read \(.*; save the sheet as CSV UTF-8$/,
    ],
    [zip({ "a.txt": "x" }), /\(no xl\/workbook\.xml\)/],
    [
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]),
      /is an Excel file that is old \(\.xls\) or has a password; save it as \.xlsx or CSV UTF-8/,
    ],
    [zip(workbook("<row><broken")), /is not an Excel workbook that can be read \(/],
    [
      zip(workbook("<row><c t='str'><v>&evil;</v></c></row>")),
      /is not an Excel workbook that can be read \(/,
    ],
    [
      zip({ ...workbook(""), "xl/worksheets/sheet1.xml": Buffer.from([0x3c, 0x61, 0xff, 0xfe]) } as never),
      /is not an Excel workbook/,
    ],
    [zip(workbook(own)).subarray(0, 900), /is not an Excel workbook that can be read/],
  ];
  for (const [content, problem] of refusals) {
    const [first] = await read(content);
    assert.match(String(first), problem);
  }
  assert.deepEqual(await read(zip(workbook(""))), []);
});
