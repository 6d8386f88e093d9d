// Campaign files as CSV: read as people have it, also as Excel writes it, and written such that nothing is lost.

import { type CsvError, parse as parseCsv } from "csv-parse";
import { emailRecordFieldNames, emailRecordSchema } from "../../campaign/email-record.ts";
import { type FileEntry, largestRecordLength } from "./file-entry.ts";

type Cells = (string | null)[];

/**
 * The records of a CSV file whose header has the field names.
 *
 * @param start the beginning of the text, at least its first line
 */
export async function* readCsv(text: AsyncIterable<string>, start: string): AsyncGenerator<FileEntry> {
  const header = start.trimStart().split(/\r\n|[\r\n]/, 1)[0] ?? "";
  const named = /^sep=([,;\t])$/.exec(header)?.[1];
  const delimiter =
    named ??
    [",", ";", "\t"].reduce((best, each) => (count(header, each) > count(header, best) ? each : best));
  let columns: string[] | undefined;
  for await (const row of readRows(text, delimiter)) {
    const where = `line ${row.line}`;
    if ("problem" in row) yield { where, problem: row.problem };
    else if (named !== undefined && row.line === 1) continue;
    else if (row.cells.every((cell) => cell === null)) continue;
    else if (!columns) {
      columns = withoutEmptyEnd(row.cells).map((cell) => (cell ?? "").trim());
      const problems = headerProblems(columns);
      yield* problems.map((problem) => ({ where, problem }));
      if (problems.length > 0) return;
    } else if (withoutEmptyEnd(row.cells).length <= columns.length && row.cells.length >= columns.length) {
      yield { where, record: toRecord(columns, row.cells, delimiter) };
    } else {
      yield { where, problem: `has ${row.cells.length} columns where the header has ${columns.length}` };
    }
  }
}

/** Spreadsheets write empty cells after the last column, and empty rows after the last one. */
function withoutEmptyEnd(cells: Cells): Cells {
  return cells.slice(0, cells.findLastIndex((cell) => cell !== null && cell.trim() !== "") + 1);
}

type CsvRow = { line: number; cells: Cells } | { line: number; problem: string };

/** Rows with the line that each begins at. What cannot be read as CSV is the last one. */
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
    // Each of them, because files are put together from several.
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: largestRecordLength,
    // Quoted and empty is empty text, just empty is no value.
    cast: (cell, { quoting }) => (cell === "" && !quoting ? null : cell),
    on_record: (cells: Cells, { empty_lines }) => {
      skipEmptyLines(empty_lines);
      rows.push({ line, cells });
      line += 1 + cells.reduce((sum, cell) => sum + lineBreaks(cell), 0);
      return null;
    },
  });
  // Each step is told of its own failure; nobody else has to be.
  parser.on("error", () => undefined);
  const step = async (take: (done: (error?: Error | null) => void) => void): Promise<CsvRow[]> => {
    const error = await new Promise<CsvError | undefined>((resolve) =>
      take((failure) => resolve((failure as CsvError | null | undefined) ?? undefined)),
    );
    if (error) {
      skipEmptyLines(Number(error.empty_lines ?? emptyLines));
      const problem = csvProblems[error.code] ?? `is not valid CSV: ${error.message}`;
      rows.push({ line, problem: `${problem}; the file was not read from here on` });
    }
    return rows.splice(0);
  };
  for await (const piece of text) {
    yield* await step((done) => parser.write(piece, done));
    if (parser.destroyed) return;
  }
  yield* await step((done) => parser.end(done));
}

const csvProblems: Partial<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: "has a quoted cell that does not end",
  CSV_INVALID_CLOSING_QUOTE: "has text after the end of a quoted cell; a quote inside one is written twice",
  INVALID_OPENING_QUOTE:
    "has a quote in a cell that is not quoted; such a cell is quoted, and the quote written twice",
  CSV_MAX_RECORD_SIZE: `is longer than ${largestRecordLength} characters`,
};

function headerProblems(columns: readonly string[]): string[] {
  const missing = ["id", "subject", "sent_at"].filter((name) => !columns.includes(name));
  const twice = columns.find((name, index) => columns.indexOf(name) !== index);
  return [
    ...(missing.length > 0
      ? [`has no column ${missing.join(", ")}; the field names, in lower case, must be the header`]
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

/** A row in the shape that JSON would have: numbers as numbers, tags as objects. */
function toRecord(columns: readonly string[], cells: Cells, delimiter: string): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const [index, name] of columns.entries()) {
    const cell = cells[index] ?? null;
    const schema = Object.hasOwn(emailRecordSchema.properties, name)
      ? emailRecordSchema.properties[name as keyof typeof emailRecordSchema.properties]
      : undefined;
    if (name === "tags") record[name] = parseTags(cell ?? "");
    else if (schema?.type === "integer" || schema?.type === "number") {
      record[name] = parseNumber((cell ?? "").trim(), schema.type, delimiter);
    } else record[name] = cell;
  }
  return record;
}

/**
 * Excel writes a decimal comma in those countries where it separates cells by semicolons. A whole number has nothing
 * but digits: a comma or point in it would be taken for a fraction here and for thousands there. What is no number
 * stays as it is, and is refused under its name.
 */
function parseNumber(cell: string, type: "integer" | "number", delimiter: string): number | string | null {
  if (cell === "") return null;
  const text = delimiter === ";" ? cell.replace(/^(-?\d+),(\d+)(?=$|e)/i, "$1.$2") : cell;
  const shape = type === "integer" ? /^-?\d+(e\+?\d+)?$/i : /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;
  return shape.test(text) ? Number(text) : cell;
}

const escaped = /\\([\\;])/g;

/** `Name` or `Name #RRGGBB`, separated by `;`. A backslash goes before a `;`, or a backslash, that belongs to a name. */
function parseTags(cell: string): { name: string; color?: string }[] {
  const entries = cell.match(/(?:\\[\\;]|[^;])+/g) ?? [];
  return entries
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
    .map((entry) => {
      const match = /^(.*\S)\s+(#[0-9A-Fa-f]{6})$/s.exec(entry);
      const name = (match?.[1] ?? entry).replace(escaped, "$1");
      return match?.[2] ? { name, color: match[2] } : { name };
    });
}

/** One line of a CSV file that {@link readCsv} reads back as it was. */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(value: unknown): string {
  if (value === null) return "";
  const text = String(value);
  return text === "" || /[",;\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvHeader = csvLine(emailRecordFieldNames);

export function formatTags(tags: readonly { name: string; color: string }[]): string | null {
  if (tags.length === 0) return null;
  return tags.map(({ name, color }) => `${name.replace(/[\\;]/g, "\\$&")} ${color}`).join(";");
}
