// Reads a list of recipients with their attributes row by row: CSV with a header, or NDJSON.

import { audienceLimits } from "../../campaign/audience/group-counts.ts";
import { normalizeRecipient } from "../../campaign/events/parse-event.ts";
import { foldCase } from "../../campaign/fields/fold-case.ts";
import { quote } from "../../campaign/fields/quote.ts";
import { isObject, isStorable } from "../../campaign/fields/validate-fields.ts";
import { AppError } from "../../errors.ts";
import { unzip } from "../../limits/unzip.ts";
import { peek, readCsvRows } from "../import/files/campaign-csv.ts";
import { decodeText } from "../import/files/decode-text.ts";
import { splitLines } from "../import/files/split-lines.ts";
import { maxColumns, UnreadableFile } from "../import/mapping/file-entry.ts";

export type ListFormat = "csv" | "ndjson";

export const listLimits = {
  /** The size of the body as it is sent. */
  maxBytes: 16 * 1024 * 1024,
  /** The size after decompression. */
  maxDecompressedBytes: 64 * 1024 * 1024,
  recipients: 200_000,
  /** Characters of a line of NDJSON. */
  lineLength: 10_000,
} as const;

/** The column of the recipients. */
export const recipientColumn = "recipient";

const acceptedRow = `{"${recipientColumn}": "a@example.com", "attributes": {"Department": "Sales"}}`;
const maxRecipientLength = 500;

export interface ListRow {
  line: number;
  /** The recipient in normalized form. */
  recipient: string;
  /** The values by the name of the attribute. An empty text means no value. */
  values: Readonly<Record<string, string>>;
}

export function wrongLine(line: number, problem: string): AppError {
  return new AppError("bad_request", `line ${line}: ${problem}.`);
}

/**
 * The rows of a list as it is sent.
 *
 * @throws AppError `bad_request` if it cannot be read, `payload_too_large` if it exceeds a limit
 */
export async function* readList(
  body: AsyncIterable<Uint8Array>,
  { format, isGzipped }: { format: ListFormat; isGzipped: boolean },
): AsyncGenerator<ListRow> {
  const bytes = isGzipped ? unzip(body, listLimits.maxDecompressedBytes) : body;
  const rows = format === "csv" ? readCsvList(bytes, { recipient: recipientColumn }) : readLines(bytes);
  let count = 0;
  for await (const row of rows) {
    count += 1;
    if (count > listLimits.recipients) throw tooLarge();
    yield row;
  }
}

function tooLarge(): AppError {
  const problem = `The list has more than ${listLimits.recipients} recipients`;
  return new AppError("payload_too_large", `${problem}. Import a larger directory with directory import.`);
}

/** The name of the column that has the recipients, and the names of the attributes of others. */
export interface ListColumns {
  recipient: string;
  /** Maps columns to names of attributes; undefined takes every other column as an attribute of its name. */
  attributes?: ReadonlyMap<string, string>;
}

/** The rows of a CSV file of any size. @throws AppError `bad_request` */
export async function* readCsvList(
  bytes: AsyncIterable<Uint8Array>,
  columns: ListColumns,
): AsyncGenerator<ListRow> {
  let toRow: ((cells: readonly string[], line: number) => ListRow) | undefined;
  for await (const { line, cells } of readCells(bytes)) {
    if (toRow) yield toRow(cells, line);
    else toRow = rowReader(cells, columns);
  }
  if (!toRow)
    throw new AppError("bad_request", "The list is empty; its first line has the names of the columns.");
}

/** The lines of a CSV file, with its header. @throws AppError `bad_request` at one that is not valid */
export async function* readCells(
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ line: number; cells: string[] }> {
  const { start, all } = await peek(decode(bytes));
  // Values may have the other delimiters, so that of the header counts.
  const [header = ""] = start.split(/\r\n|[\r\n]/, 1);
  for await (const row of readCsvRows(all, header, { trim: true })) {
    if ("problem" in row) throw wrongLine(row.line, row.problem);
    yield { line: row.line, cells: row.cells.map((cell) => cell ?? "") };
  }
}

/** @throws AppError `bad_request` if the bytes are no text */
async function* decode(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string, undefined> {
  try {
    return yield* decodeText(bytes);
  } catch (error) {
    throw error instanceof UnreadableFile ? new AppError("bad_request", `The list ${error.message}.`) : error;
  }
}

/** @throws AppError `bad_request` if the header lacks a column */
function rowReader(
  header: readonly string[],
  { recipient, attributes }: ListColumns,
): (cells: readonly string[], line: number) => ListRow {
  const index = header.indexOf(recipient);
  if (index < 0) throw missingColumn(recipient, header);
  const folded = header.map(foldCase);
  const repeated = header.find((column, at) => column !== "" && folded.indexOf(foldCase(column)) < at);
  if (repeated !== undefined) throw wrongLine(1, `the column ${quote(repeated)} is there twice`);
  const most = attributes ? maxColumns : 1 + audienceLimits.attributes;
  if (header.length > most)
    throw wrongLine(1, `${header.length} columns are too many; a list may have ${most}`);
  for (const column of attributes?.keys() ?? [])
    if (!header.includes(column)) throw missingColumn(column, header);
  const named = header.map((column) =>
    column === recipient || column === "" ? undefined : attributes ? attributes.get(column) : column,
  );
  return (cells, line) => {
    if (cells.length !== header.length) {
      throw wrongLine(line, `has ${cells.length} columns; the header has ${header.length}`);
    }
    // The object has no prototype, because columns may have any name.
    const values: Record<string, string> = Object.create(null);
    for (const [at, name] of named.entries()) if (name !== undefined) values[name] = cells[at] ?? "";
    return { line, recipient: parseRecipient(cells[index], line), values };
  };
}

function missingColumn(column: string, header: readonly string[]): AppError {
  const titles = header.map((each) => quote(each)).join(", ");
  return wrongLine(1, `there is no column ${quote(column)}; the columns are ${titles}`);
}

async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ListRow> {
  for await (const { content, line } of splitLines(decode(bytes), listLimits.lineLength))
    yield* parseLine(content, line);
}

function* parseLine(content: string, line: number): Generator<ListRow> {
  if (content.trim() === "") return;
  if (content.length > listLimits.lineLength) {
    throw wrongLine(line, `is longer than ${listLimits.lineLength} characters`);
  }
  let row: unknown;
  try {
    row = JSON.parse(content);
  } catch {
    throw wrongLine(line, `is not valid JSON; send one object a line, such as ${acceptedRow}`);
  }
  yield parseRow(row, line);
}

/** A recipient with its attributes, as an object. */
function parseRow(input: unknown, line: number): ListRow {
  const { recipient, attributes = {}, ...others } = isObject(input) ? input : ({} as Record<string, unknown>);
  const [unknown] = Object.keys(others);
  const isRow =
    isObject(input) && unknown === undefined && typeof attributes === "object" && attributes !== null;
  if (!isRow) throw wrongLine(line, `${quote(input)} is not an object such as ${acceptedRow}`);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "string") continue;
    throw wrongLine(line, `attributes.${name}: ${quote(value)} is not text`);
  }
  return { line, recipient: parseRecipient(recipient, line), values: attributes as Record<string, string> };
}

function parseRecipient(input: unknown, line: number): string {
  const isText = typeof input === "string" && input.length <= maxRecipientLength && isStorable(input);
  const recipient = isText ? normalizeRecipient(input) : "";
  if (recipient !== "") return recipient;
  const accepted = `text of 1 to ${maxRecipientLength} characters`;
  throw wrongLine(line, `${recipientColumn}: ${quote(input)} is not ${accepted}`);
}
