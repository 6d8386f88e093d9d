// Random feed records, and readers of the file formats that know nothing of our encoders.

import { zstdDecompressSync } from "node:zlib";
import { parse as parseCsv } from "csv-parse/sync";
import fc from "fast-check";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { SaxesParser } from "saxes";
import { type FeedRecord, feedFieldNames, feedFields } from "../../src/campaign/feed/feed-fields.ts";
import type { FeedRow } from "../../src/campaign/feed/feed-tables.ts";
import type { FeedValues } from "../../src/campaign/feed/feed-types.ts";
import type { RecordField } from "../../src/campaign/record-fields.ts";
import { Workbook } from "../../src/counting/import/xlsx/workbook.ts";
import type { FileFormatName } from "../../src/formats/feed-files.ts";

/** Texts that formats and tools trip over. */
export const unusualTexts = [
  ...["", " ", "0", "null", "NULL", '"', 'a "quoted" name', "a,b;c\td", "a\nb\r\nc", "\\", "a\\;b", "=1+1"],
  "日本語",
  "\u{1F9D1}\u200D\u{1F680}",
  "e\u0301 \u00E9",
  "\u202Eright to left",
  "byte order \uFEFFmark",
  "\u2028\u2029\u0085\u00A0",
  "\u0000\u0007",
  "#REF!",
];

const text = fc
  .oneof(fc.constantFrom(...unusualTexts), fc.string({ unit: "grapheme" }))
  // hyparquet takes it for a byte order mark.
  .filter((each) => !each.startsWith("\uFEFF"));
const instant = fc
  .date({
    min: new Date("0001-01-01T00:00:00Z"),
    max: new Date("9999-12-31T23:59:59.999Z"),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString());

const anyTag = fc.record(
  { name: text, color: fc.constantFrom("#4E79A7", "#f28e2b") },
  { noNullPrototype: true },
);
const valuesOf: { [Type in keyof FeedValues]: fc.Arbitrary<FeedValues[Type]> } = {
  integer: fc.oneof(fc.constantFrom(0, Number.MAX_SAFE_INTEGER), fc.nat()),
  number: fc.oneof(fc.constantFrom(0, 1, 33.33, 1e-7), fc.double({ min: 0, max: 100, noNaN: true })),
  string: text,
  instant,
  date: instant.map((iso) => iso.slice(0, 10)),
  tags: fc.array(anyTag, { maxLength: 3 }),
};

export const anyFeedRecord = fc.record(
  Object.fromEntries(
    feedFieldNames.map((name) => {
      const field: RecordField = feedFields[name];
      const values: fc.Arbitrary<unknown> = valuesOf[field.type];
      return [name, field.nullMeans === undefined ? values : fc.option(values, { freq: 3 })];
    }),
  ),
  { noNullPrototype: true },
) as unknown as fc.Arbitrary<FeedRecord>;

/** Reads a file back as feed records. */
export async function readFeedFile(format: FileFormatName, bytes: Uint8Array): Promise<FeedRecord[]> {
  const rows = await readFeedRows(format, bytes, feedFields);
  return rows as unknown as FeedRecord[];
}

/** Reads a file back as rows of a table. @param fields of the table */
export async function readFeedRows(
  format: FileFormatName,
  bytes: Uint8Array,
  fields: Fields,
): Promise<FeedRow[]> {
  return readers[format](bytes, fields);
}

type Fields = Readonly<Record<string, RecordField>>;
type Rows = Record<string, unknown>[];

const readers: Record<FileFormatName, (bytes: Uint8Array, fields: Fields) => Rows | Promise<Rows>> = {
  ndjson: (bytes) => linesOf(bytes).map((line) => JSON.parse(line) as Rows[number]),
  csv: readCsvRows,
  parquet: readParquetRows,
  xlsx: readXlsxRows,
};

function linesOf(bytes: Uint8Array): string[] {
  const lines = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes).split("\n");
  if (lines.pop() !== "") throw new Error("the last line does not end");
  return lines;
}

/** The header and the cells, as a program reads them that keeps unquoted empty cells apart from quoted ones. */
export function readCsvCells(bytes: Uint8Array): (string | null)[][] {
  return parseCsv(Buffer.from(bytes), {
    record_delimiter: "\r\n",
    cast: (cell, { quoting }) => (cell === "" && !quoting ? null : cell),
  });
}

function readCsvRows(bytes: Uint8Array, fields: Fields): Rows {
  const [header = [], ...rows] = readCsvCells(bytes);
  return rows.map((cells) =>
    Object.fromEntries(
      header.map((name, index) => [name, readCell(fields[name ?? ""]?.type, cells[index] ?? null)]),
    ),
  );
}

function readCell(type: RecordField["type"] | undefined, cell: string | null): unknown {
  if (type === "tags") return readTags(cell ?? "");
  return cell !== null && (type === "integer" || type === "number") ? Number(cell) : cell;
}

/** The tags in a cell of a CSV file. */
export function readTags(cell: string): FeedValues["tags"] {
  const entries = cell.match(/(?:\\[\\;]|[^;\\])+/gs) ?? [];
  return entries.map((entry) => ({
    name: entry.slice(0, -8).replace(/\\([\\;])/g, "$1"),
    color: entry.slice(-7),
  }));
}

/** The cells of the first sheet by reference, such as `B7`. Checksums are checked, and numbers must have the type of numbers. */
export async function readSheetCells(
  bytes: Uint8Array,
): Promise<Map<string, { style: string; value: string | number }>> {
  const book = await Workbook.open(Buffer.from(bytes));
  const { sheet } = await book.read();
  const cells = new Map<string, { style: string; value: string | number }>();
  const parser = new SaxesParser();
  let [reference, style, type, value] = ["", "", "", ""];
  parser.on("opentag", ({ name, attributes }) => {
    if (name === "c")
      ({ r: reference = "", s: style = "0", t: type = "n" } = attributes as Record<string, string>);
    if (name === "c") value = "";
  });
  parser.on("text", (text) => {
    value += text;
  });
  parser.on("closetag", ({ name }) => {
    if (name === "c")
      cells.set(reference, { style, value: type === "n" ? Number(value) : unescapeUnits(value) });
  });
  for await (const chunk of book.unpack(sheet, Number.MAX_SAFE_INTEGER)) parser.write(chunk);
  parser.close();
  return cells;
}

/** `_x001F_` is a character that XML does not have. */
const unescapeUnits = (text: string) =>
  text.replaceAll(/_x([0-9A-F]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

async function readXlsxRows(bytes: Uint8Array, fields: Fields): Promise<Rows> {
  const rows: Rows = [];
  const names: Record<string, string> = {};
  for (const [reference, { value }] of await readSheetCells(bytes)) {
    const [, column = "", line = ""] = /^([A-Z]+)([0-9]+)$/.exec(reference) ?? [];
    if (line === "1") names[column] = String(value);
    else {
      const missing = () =>
        Object.fromEntries(
          Object.entries(fields).map(([name, { type }]) => [name, type === "tags" ? [] : null]),
        );
      const row = rows[Number(line) - 2] ?? missing();
      rows[Number(line) - 2] = row;
      const name = names[column] ?? "";
      row[name] = readSheetValue(fields[name]?.type, value);
    }
  }
  return rows;
}

/** Dates before March 1900 are text. */
function readSheetValue(type: RecordField["type"] | undefined, value: string | number): unknown {
  if (type === "tags") return readTags(String(value));
  if (typeof value === "string" || (type !== "instant" && type !== "date")) return value;
  const iso = new Date(Math.round((value - 25_569) * 86_400_000)).toISOString();
  return type === "date" ? iso.slice(0, 10) : iso;
}

function fileOf(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

export const parquetMetadataOf = (bytes: Uint8Array) => parquetMetadata(fileOf(bytes));

/** Checks the type of each value, and writes it as it is in JSON. */
async function readParquetRows(bytes: Uint8Array, fields: Fields): Promise<Rows> {
  const rows = await parquetReadObjects({
    file: fileOf(bytes),
    compressors: { ZSTD: (input) => zstdDecompressSync(input) },
  });
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, { type }]) => [name, toJsonValue(type, row[name])]),
    ),
  );
}

function toJsonValue(type: keyof FeedValues, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (type === "integer" && typeof value === "bigint") return Number(value);
  if (type === "instant" && value instanceof Date) return value.toISOString();
  if (type === "date" && value instanceof Date) return value.toISOString().slice(0, 10);
  const isPlain = typeof value === (type === "number" ? "number" : "string") || type === "tags";
  if (!isPlain) throw new Error(`${String(value)} is no ${type}`);
  return value;
}
