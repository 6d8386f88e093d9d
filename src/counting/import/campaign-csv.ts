// Reads campaign files in CSV, including the variants that Excel writes.

import { type CsvError, parse as parseCsv } from "csv-parse";
import { emailRecordSchema } from "../../campaign/email-record-schema.ts";
import { type FileEntry, largestRecordLength } from "./file-entry.ts";
import { rowMapper } from "./map-row.ts";
import { chooseMapping, type Mapping, type MappingChoice } from "./mapping.ts";
import { parseTagCell } from "./tag-cell.ts";

type Cells = (string | null)[];

const maxColumns = 1_000;

/**
 * The records of a CSV file whose header contains the field names, or columns that are mapped to them.
 *
 * @param start the start of the text: at least its first line
 * @param onMapping called with the mapping, if the header has other names
 */
export async function* readCsv(
  text: AsyncIterable<string>,
  start: string,
  choice: MappingChoice,
  onMapping: (mapping: Mapping, header: readonly string[]) => void,
): AsyncGenerator<FileEntry> {
  const { delimiter, isDeclared } = delimiterOf(start);
  let columns: string[] | undefined;
  let toEntry: (where: string, cells: Cells) => FileEntry = (where, cells) => ({
    where,
    record: toRecord(columns ?? [], cells, delimiter),
  });
  for await (const row of readRows(text, delimiter)) {
    const where = `line ${row.line}`;
    if ("problem" in row) yield { where, problem: row.problem };
    else if (isDeclared && row.line === 1) continue;
    else if (row.cells.every((cell) => cell === null)) continue;
    else if (!columns) {
      columns = trimEmptyEnd(row.cells).map((cell) => (cell ?? "").trim());
      const mapped = columns.length > maxColumns ? undefined : chooseMapping(columns, choice);
      const problems = mapped?.problems ?? headerProblems(columns);
      yield* problems.map((problem) => ({ where, problem }));
      if (problems.length > 0) return;
      if (mapped) {
        onMapping(mapped.mapping, columns);
        toEntry = rowMapper(columns, mapped.mapping, delimiter);
      }
    } else if (trimEmptyEnd(row.cells).length <= columns.length && row.cells.length >= columns.length) {
      yield toEntry(where, row.cells);
    } else {
      yield { where, problem: `has ${row.cells.length} columns; the header has ${columns.length}` };
    }
  }
}

/** The header of a CSV file, and its first rows. */
export interface CsvSample {
  header: string[];
  rows: string[][];
}

/** @param start as in {@link readCsv} @returns undefined if its first rows cannot be read, or have too many columns */
export async function readCsvSample(
  text: AsyncIterable<string>,
  start: string,
  maxRows: number,
): Promise<CsvSample | undefined> {
  const { delimiter, isDeclared } = delimiterOf(start);
  const found: string[][] = [];
  for await (const row of readRows(text, delimiter)) {
    if ("problem" in row) break;
    if ((isDeclared && row.line === 1) || row.cells.every((cell) => cell === null)) continue;
    const cells = found.length === 0 ? trimEmptyEnd(row.cells) : row.cells;
    if (cells.length > maxColumns) return undefined;
    found.push(cells.map((cell) => (cell ?? "").trim()));
    if (found.length > maxRows) break;
  }
  const [header, ...rows] = found;
  return header && { header, rows };
}

/** Excel may declare it in a first line of its own. */
function delimiterOf(start: string): { delimiter: string; isDeclared: boolean } {
  const header = start.trimStart().split(/\r\n|[\r\n]/, 1)[0] ?? "";
  const declared = /^sep=([,;\t])$/.exec(header)?.[1];
  const most = [",", ";", "\t"].reduce((best, each) =>
    count(header, each) > count(header, best) ? each : best,
  );
  return { delimiter: declared ?? most, isDeclared: declared !== undefined };
}

/** Spreadsheets write empty cells after the last column, and empty rows at the end. */
function trimEmptyEnd(cells: Cells): Cells {
  return cells.slice(0, cells.findLastIndex((cell) => cell !== null && cell.trim() !== "") + 1);
}

type CsvRow = { line: number; cells: Cells } | { line: number; problem: string };

/** Rows with the number of their first line. Reading stops after a row that is not valid CSV. */
async function* readRows(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<CsvRow> {
  const rows: CsvRow[] = [];
  let line = 1;
  let emptyLines = 0;
  const skipEmptyLines = (all: number) => {
    line += all - emptyLines;
    emptyLines = all;
  };
  const parser = parseCsv({
    delimiter,
    // All of them: a file can be concatenated from files with different line breaks.
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: largestRecordLength,
    // A quoted empty cell is empty text; an unquoted one is no value.
    cast: (cell, { quoting }) => (cell === "" && !quoting ? null : cell),
    on_record: (cells: Cells, { empty_lines }) => {
      skipEmptyLines(empty_lines);
      rows.push({ line, cells });
      line += 1 + cells.reduce((sum, cell) => sum + lineBreaks(cell), 0);
      return null;
    },
  });
  // Each write reports its own error below; without a listener the event would end the process.
  parser.on("error", () => undefined);
  const step = async (feed: (done: (error?: Error | null) => void) => void): Promise<CsvRow[]> => {
    const error = await new Promise<CsvError | undefined>((resolve) =>
      feed((failure) => resolve((failure as CsvError | null | undefined) ?? undefined)),
    );
    if (error) {
      skipEmptyLines(Number(error.empty_lines ?? emptyLines));
      const problem = csvProblems[error.code] ?? `is not valid CSV: ${error.message}`;
      rows.push({ line, problem: `${problem}; the rest of the file was not read` });
    }
    return rows.splice(0);
  };
  for await (const chunk of text) {
    yield* await step((done) => parser.write(chunk, done));
    if (parser.destroyed) return;
  }
  yield* await step((done) => parser.end(done));
}

const csvProblems: Partial<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: "has a quoted cell without a closing quote",
  CSV_INVALID_CLOSING_QUOTE: "has text after a closing quote; double the quotes inside a quoted cell",
  INVALID_OPENING_QUOTE: "has a quote in an unquoted cell; quote the cell and double the quotes inside it",
  CSV_MAX_RECORD_SIZE: `is longer than ${largestRecordLength} characters`,
};

function headerProblems(columns: readonly string[]): string[] {
  if (columns.length > maxColumns) return [`has ${columns.length} columns; a file may have ${maxColumns}`];
  const names = new Set<string>();
  const twice = columns.find((name) => names.size === names.add(name).size);
  const missing = ["id", "subject", "sent_at"].filter((name) => !columns.includes(name));
  return [
    ...(missing.length > 0
      ? [
          `has no column ${missing.join(", ")}; the header must contain the field names in lowercase, or its columns must be mapped (--map)`,
        ]
      : []),
    ...(twice === undefined ? [] : [`has the column ${JSON.stringify(twice)} twice`]),
  ];
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}

function lineBreaks(cell: string | null): number {
  return cell?.match(/\r\n|[\r\n]/g)?.length ?? 0;
}

/** A row as a JSON record: numbers as numbers, tags as objects. */
function toRecord(columns: readonly string[], cells: Cells, delimiter: string): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const [index, name] of columns.entries()) {
    const cell = cells[index] ?? null;
    const schema = Object.hasOwn(emailRecordSchema.properties, name)
      ? emailRecordSchema.properties[name as keyof typeof emailRecordSchema.properties]
      : undefined;
    if (name === "tags") record[name] = parseTagCell(cell ?? "");
    else if (schema?.type === "integer" || schema?.type === "number") {
      record[name] = parseNumber((cell ?? "").trim(), schema.type, delimiter);
    } else record[name] = cell;
  }
  return record;
}

/**
 * Where Excel separates cells with semicolons, it writes a decimal comma. An integer must have digits only: a comma or
 * point in it is a decimal separator in some countries and a thousands separator in others. Other text is returned
 * unchanged, and validation rejects it.
 */
function parseNumber(cell: string, type: "integer" | "number", delimiter: string): number | string | null {
  if (cell === "") return null;
  const text = delimiter === ";" ? cell.replace(/^(-?\d+),(\d+)(?=$|e)/i, "$1.$2") : cell;
  const shape = type === "integer" ? /^-?\d+(e\+?\d+)?$/i : /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;
  return shape.test(text) ? Number(text) : cell;
}
