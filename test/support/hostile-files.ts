// Files that try to exhaust what reads them: workbooks with more than their format has, and their relatives in CSV, TSV, JSON
// and NDJSON.

import { randomBytes } from "node:crypto";
import { workbook, zip } from "./xlsx.ts";

export interface HostileFile {
  name: string;
  make(): Buffer;
}

const megabyte = 1024 * 1024;

/** The text again and again, up to so many bytes. */
const repeated = (text: string, bytes: number) => Buffer.alloc(bytes - (bytes % text.length), text);

/** As it is, and with so much that cannot be compressed that its ratio is like that of other files. */
const inDisguise = (text: string, bytes: number, noise = (random: string) => random) =>
  repeated(text.repeat(Math.ceil(60_000 / text.length)) + noise(randomBytes(400).toString("hex")), bytes);

const numbered = (count: number, textOf: (index: number) => string) =>
  Buffer.from(Array.from({ length: count }, (_, index) => textOf(index)).join(""));

const header = `<row><c t="str"><v>subject</v></c><c t="str"><v>sent_at</v></c></row>`;
const sheetPath = "xl/worksheets/sheet1.xml";
const sheet = (content: Buffer, sizeOf?: Record<string, number>) =>
  zip(
    {
      ...workbook(""),
      [sheetPath]: Buffer.concat([Buffer.from(`<worksheet><sheetData>${header}`), content]),
    },
    sizeOf,
  );
const part = (name: string, start: string, content: Buffer) =>
  zip({ ...workbook(header), [`xl/${name}.xml`]: Buffer.concat([Buffer.from(start), content]) });
const texts = (content: Buffer) => part("sharedStrings", "<sst>", content);

const comment = (random: string) => `<!--${random}-->`;
const csv = "id,subject,sent_at\n";
const around = (start: string, content: Buffer, end = "") =>
  Buffer.concat([Buffer.from(start), content, Buffer.from(end)]);

/** @param size of the largest, in MB */
export function hostileFiles(size: number): HostileFile[] {
  const all = size * megabyte;
  const [most, some] = [Math.min(all, 300 * megabyte), Math.min(all, 60 * megabyte)];
  const files: Record<string, () => Buffer> = {
    "nested.xlsx": () => sheet(repeated("<a>", some)),
    "nested in disguise.xlsx": () => sheet(inDisguise("<a>", some, comment)),
    "nested texts.xlsx": () => texts(inDisguise("<r>", some, comment)),
    "long text.xlsx": () => sheet(around(`<row><c t="str"><v>`, repeated("x", most))),
    "long text in disguise.xlsx": () => sheet(around(`<row><c t="str"><v>`, inDisguise("x", most))),
    "long attribute.xlsx": () => sheet(around(`<row r="`, inDisguise("1", most))),
    "long name.xlsx": () => sheet(around("<r", inDisguise("o", most))),
    "many attributes.xlsx": () =>
      sheet(
        around(
          "<row ",
          numbered(most / 64, (index) => `a${index}="" `),
        ),
      ),
    "long comment.xlsx": () => sheet(around("<!--", inDisguise("o", most))),
    "long text of a shared text.xlsx": () => texts(around("<si><t>", inDisguise("x", some))),
    "empty shared texts.xlsx": () => texts(inDisguise("<si/>", some, comment)),
    "more empty shared texts.xlsx": () => texts(repeated("<si/>", most)),
    "many shared texts.xlsx": () => texts(numbered(some / 40, (index) => `<si><t>${index} ж漢字</t></si>`)),
    "empty rows.xlsx": () => sheet(repeated("<row/>", all)),
    "empty rows in disguise.xlsx": () => sheet(inDisguise("<row/>", all, comment)),
    "wide rows.xlsx": () => sheet(inDisguise(`<row>${"<c/>".repeat(900)}</row>`, all, comment)),
    "elements that mean nothing.xlsx": () => sheet(inDisguise("<x/>", all, comment)),
    "styles.xlsx": () =>
      part("styles", "<styleSheet><cellXfs>", inDisguise("<xf/>", Math.min(some, 8_000_000), comment)),
    "formats.xlsx": () =>
      part(
        "styles",
        "<styleSheet><numFmts>",
        repeated(`<numFmt numFmtId="200" formatCode="${"[".repeat(60_000)}"/>`, Math.min(some, 8_000_000)),
      ),
    "a text in every cell.xlsx": () =>
      zip({
        ...workbook(header + `<row>${'<c t="s"><v>0</v></c>'.repeat(2)}</row>`.repeat(40_000)),
        "xl/sharedStrings.xml": `<sst><si><t>${"x".repeat(60_000)}</t></si></sst>`,
      }),
    "says it is small.xlsx": () => sheet(repeated("<a>", some), { [sheetPath]: 1_000 }),
    "many parts.xlsx": () =>
      zip(
        Object.fromEntries(Array.from({ length: 950 }, (_, index) => [`${index}${"n".repeat(30_000)}`, ""])),
      ),
    "open quote.csv": () => around(`${csv}1,"`, repeated("x", all)),
    "open quote with quotes.tsv": () => around(`id\tsubject\tsent_at\n1\t"`, repeated('""\n', all)),
    "commas.csv": () => around(csv, repeated(",", all)),
    "commas in the header.csv": () => repeated(",", all),
    "long line.csv": () => around(csv, repeated("x", all)),
    "line breaks.csv": () => around(csv, repeated("\r\n\n", all)),
    "empty rows.csv": () => around(csv, repeated(`${",".repeat(999)}\n`, all)),
    "wide header.csv": () =>
      around(
        `${Array.from({ length: 999 }, (_, index) => `${index}${"h".repeat(1_500)}`).join()}\n`,
        repeated(`${"1,".repeat(998)}1\n`, all),
      ),
    "dates of both orders.csv": () => around("subject,sent_at\n", repeated("a,1/2/2024\n", all)),
    "dates of both orders and nothing else.tsv": () =>
      around("Subject\tSend Date\n\t1/2/2024\n", repeated("\t\n", all)),
    "rows of one cell.csv": () => around("subject,sent_at\nx,1/2/2024\n", repeated("x\n", all)),
    "titles of a report.csv": () =>
      around(
        "Email Campaign Report\n",
        numbered(most / 16, (index) => `constructor${index},1\n`),
      ),
    "spaces.csv": () => repeated(" ", all),
    "long line.ndjson": () => around(`{"id":1}\n{"subject":"`, repeated("x", all)),
    "nested.ndjson": () => around(`{"id":1}\n{"tags":`, repeated("[", 2_000_000), "\n{}\n"),
    "nested objects.ndjson": () => around(`{"id":1}\n`, repeated('{"a":', 2_000_000), "\n{}\n"),
    "many values.ndjson": () => around(`{"id":1}\n`, repeated(`{"tags":[${"{},".repeat(690_000)}0]}\n`, all)),
    "many fields.ndjson": () =>
      around(`{"id":1}\n`, repeated(`{${numbered(90_000, (index) => `"f${index}":0,`)}"last":0}\n`, all)),
    "blank lines.ndjson": () => around(`{"id":1}\n`, repeated("\n", all)),
    "nested.json": () => repeated("[", all),
    "open text.json": () => around(`[{"id":"`, repeated("x", all)),
    "spaces.json": () => around("[", repeated(" ", all)),
    "objects before the list.json": () => around(`{"emails":1,`, repeated('"a":{},', all)),
    "many pages.json": () => repeated('{"meta":{"a":{},"b":{}},"emails":[]}', all),
    "many lists.json": () => around(`[{"id":1}]`, repeated("[]", all)),
  };
  return Object.entries(files).map(([name, make]) => ({ name, make }));
}
