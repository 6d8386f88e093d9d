// Writes an Excel workbook (XLSX, ECMA-376) with one sheet: real dates and numbers, and a header that stays in sight.

import { Readable } from "node:stream";
import { ZipFile } from "yazl";
import { dayMs } from "../campaign/calendar/durations.ts";
import { zoneOffset } from "../campaign/calendar/time-zone.ts";
import type { FeedRow, FeedTable } from "../campaign/feed/feed-tables.ts";
import type { FeedValues } from "../campaign/feed/feed-types.ts";
import type { RecordField } from "../campaign/record-fields.ts";
import { AppError } from "../errors.ts";
import { formatTags } from "./csv.ts";

/** The most rows of a sheet in Excel, without the header. */
const maxRows = 1_048_575;

/** @throws AppError `bad_request` if a sheet has no room for so many rows */
export function checkSheetRows(rows: number): void {
  if (rows <= maxRows) return;
  throw new AppError(
    "bad_request",
    `An Excel sheet has at most ${maxRows} rows below its header. Select fewer campaigns, or download CSV.`,
  );
}

const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const packages = "http://schemas.openxmlformats.org/package/2006";
const type = "application/vnd.openxmlformats-officedocument.spreadsheetml";

/**
 * Instants are on the organization's clocks, because Excel has no time zones.
 *
 * @throws AppError `bad_request` if there are more rows than a sheet has
 */
export function encodeXlsx(
  table: FeedTable,
  batches: AsyncIterable<readonly FeedRow[]>,
  { timeZone }: { timeZone: string },
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const part = (name: string, text: string) => ({ name, text: [`${xml}${text}`] });
  const relations = (target: string, kind: string, second = "") =>
    `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/${kind}" Target="${target}"/>${second}</Relationships>`;
  return zip([
    part(
      "[Content_Types].xml",
      `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${type}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/></Types>`,
    ),
    part("_rels/.rels", relations("xl/workbook.xml", "officeDocument")),
    part(
      "xl/workbook.xml",
      `<workbook xmlns="${main}" xmlns:r="${office}"><bookViews><workbookView/></bookViews><sheets><sheet name="${table.row}s" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    part(
      "xl/_rels/workbook.xml.rels",
      relations(
        "worksheets/sheet1.xml",
        "worksheet",
        `<Relationship Id="rId2" Type="${office}/styles" Target="styles.xml"/>`,
      ),
    ),
    part("xl/styles.xml", styles),
    { name: "xl/worksheets/sheet1.xml", text: sheet(table, batches, timeZone) },
  ]);
}

interface ZipPart {
  name: string;
  text: AsyncIterable<string> | Iterable<string>;
}

/** No part is in memory: its size follows it. */
async function* zip(parts: readonly ZipPart[]): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const file = new ZipFile();
  const bytes = file.outputStream as Readable;
  const streams = parts.map(({ name, text }) => {
    const stream = Readable.from(text);
    // yazl does not listen for it.
    stream.on("error", (error) => bytes.destroy(error));
    file.addReadStream(stream, name, { mtime, forceDosTimestamp: true, compressionLevel: 1 });
    return stream;
  });
  file.end();
  try {
    for await (const piece of bytes) yield new Uint8Array(piece as Buffer);
  } finally {
    // A reader that leaves ends the reading of rows.
    for (const stream of streams) stream.destroy();
  }
}

/** The same rows make the same bytes. */
const mtime = new Date(2000, 0, 1);

/** The numbers of the styles in {@link styles}. 22 and 14 are the date formats of the reader's country. */
const style = { bold: 1, fraction: 2, percent: 3, instant: 4, date: 5 };
const formats = [0, 164, 165, 22, 14].map(
  (id) => `<xf numFmtId="${id}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
);
const styles = `<styleSheet xmlns="${main}"><numFmts count="2"><numFmt numFmtId="164" formatCode="0.0%"/><numFmt numFmtId="165" formatCode="0.0&quot;%&quot;"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="6">${formats[0]}<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>${formats.slice(1).join("")}</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;

async function* sheet(
  { fields }: FeedTable,
  batches: AsyncIterable<readonly FeedRow[]>,
  timeZone: string,
): AsyncGenerator<string> {
  const columns = Object.entries(fields).map(([name, field], index) => ({
    name,
    letters: lettersOf(index),
    cell: cellWriter(field, timeZone),
  }));
  const widths = Object.entries(fields).map(
    ([name, field], index) =>
      `<col min="${index + 1}" max="${index + 1}" width="${widthOf(name, field)}" customWidth="1"/>`,
  );
  const header = columns.map(({ name, letters }) => textCell(`${letters}1`, name, ` s="${style.bold}"`));
  yield `${xml}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths.join("")}</cols><sheetData><row r="1">${header.join("")}</row>`;
  let number = 1;
  for await (const rows of batches) {
    const lines = rows.map((row) => {
      checkSheetRows(number);
      number += 1;
      const cells = columns.map(({ name, letters, cell }) =>
        row[name] === null ? "" : cell(`${letters}${number}`, row[name]),
      );
      return `<row r="${number}">${cells.join("")}</row>`;
    });
    yield lines.join("");
  }
  yield "</sheetData></worksheet>";
}

/** `A` to `Z`, `AA` and so on. @param index from 0 */
function lettersOf(index: number): string {
  const rest = Math.floor(index / 26);
  return `${rest > 0 ? lettersOf(rest - 1) : ""}${String.fromCharCode(65 + (index % 26))}`;
}

const widthOf = (name: string, { type }: RecordField): number =>
  Math.max(
    name.length + 2,
    name === "subject" ? 48 : ({ instant: 18, date: 12, tags: 30 }[type as string] ?? 0),
  );

type CellWriter = (reference: string, value: unknown) => string;

/** Values are those of all other formats: a fraction and a percentage differ by their format alone. */
function cellWriter({ type, unit }: RecordField, timeZone: string): CellWriter {
  if (type === "string") return (at, value) => textCell(at, value as string);
  if (type === "tags") return (at, value) => tagsCell(at, value as FeedValues["tags"]);
  if (type === "instant")
    return (at, value) => dateCell(at, wallTimeAt(value as string, timeZone), value, style.instant);
  if (type === "date") return (at, value) => dateCell(at, Date.parse(value as string), value, style.date);
  const format = unit === "fraction" || unit === "percent" ? ` s="${style[unit]}"` : "";
  return (at, value) => `<c r="${at}"${format}><v>${value}</v></c>`;
}

function wallTimeAt(instant: string, timeZone: string): number {
  const at = Date.parse(instant);
  return at + zoneOffset(at, timeZone);
}

/** Writes as many tags as the cell has room for. */
function tagsCell(reference: string, tags: FeedValues["tags"]): string {
  let text = formatTags(tags);
  for (let count = tags.length - 1; text !== null && text.length > maxCellLength; count--) {
    text = formatTags(tags.slice(0, count));
  }
  return text === null ? "" : textCell(reference, text);
}

/** January 1, 1970, in days of Excel, which takes 1900 for a leap year: dates before March 1900 are text. */
const days1970 = 25_569;

function dateCell(reference: string, wallTime: number, given: unknown, format: number): string {
  const days = (wallTime + days1970 * dayMs) / dayMs;
  return days < 61
    ? textCell(reference, String(given))
    : `<c r="${reference}" s="${format}"><v>${days}</v></c>`;
}

/** Text never runs as a formula: its cell has the type of text. */
function textCell(reference: string, text: string, format = ""): string {
  return `<c r="${reference}"${format} t="inlineStr"><is><t xml:space="preserve">${escapeText(cutText(text))}</t></is></c>`;
}

/** UTF-16 units of a cell. Excel calls a workbook with a longer one damaged. */
const maxCellLength = 32_767;

/** Cuts before a character of two units, and says with "…" that there was more. */
function cutText(text: string): string {
  if (text.length <= maxCellLength) return text;
  return `${text.slice(0, maxCellLength - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

/** XML has no control characters and no lone surrogates: Excel writes them as `_x001F_` (ECMA-376, 22.9.2.19). */
function escapeText(text: string): string {
  return text
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_")
    .replaceAll(
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML does not have
      /[\u0000-\u0008\u000b\u000c\u000d\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu,
      (unit) => `_x${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}_`,
    )
    .replaceAll(/[&<>]/g, (mark) => ({ "&": "&amp;", "<": "&lt;" })[mark] ?? "&gt;");
}
