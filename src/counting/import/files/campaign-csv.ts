// Reads campaign files in CSV, including the variants that Excel writes.

import { type CsvError, parse as parseCsv } from "csv-parse";
import { checkEmptyRows, largestRecordLength, maxColumns, type SheetRow } from "../mapping/file-entry.ts";

/** This many characters show the format and the delimiter. */
const maxStartLength = 64 * 1024;

/** The start of a text, with its first lines unless they are too long, and the whole text. */
export async function peek(
  text: AsyncGenerator<string>,
): Promise<{ start: string; all: AsyncGenerator<string> }> {
  let start = "";
  let done = false;
  while (!done && start.split("\n").length <= comparedLines && start.length < maxStartLength) {
    const next = await text.next();
    done = next.done === true;
    start += next.value ?? "";
  }
  async function* all() {
    yield start;
    yield* text;
  }
  return { start, all: all() };
}

/**
 * The rows of a CSV file.
 *
 * @param start the first lines of the text, which show the delimiter
 * @param options.trim also takes quotes behind spaces
 */
export async function* readCsvRows(
  text: AsyncIterable<string>,
  start: string,
  { trim = false }: { trim?: boolean } = {},
): AsyncGenerator<SheetRow> {
  // Excel may declare it in a first line of its own.
  const declared = /^\s*sep=([,;\t])(?:[\r\n]|$)/.exec(start)?.[1];
  const options = { trim, delimiter: declared ?? commonDelimiter(start) };
  for await (const row of readRows(text, options)) {
    if (declared === undefined || row.line > 1 || "problem" in row) yield row;
  }
}

/** Lines that are compared: titles may be above the header. */
const comparedLines = 40;

/**
 * The delimiter that most lines have equally often outside of quotes, and of several the one that they have more often. Once in
 * a line says half as much: titles and decimal commas have that, too.
 */
function commonDelimiter(start: string): string {
  const lines = start
    .replaceAll(/"[^"]*"/g, "")
    .split(/\r\n|[\r\n]/)
    .slice(0, comparedLines);
  const groups = [",", ";", "\t"].flatMap((delimiter) => {
    const counts = lines.map((line) => line.split(delimiter).length - 1);
    return [...Map.groupBy(counts, (count) => count)].map(([count, same]) => ({
      delimiter,
      count,
      weight: same.length * Math.min(count, 2),
    }));
  });
  groups.sort((a, b) => b.weight - a.weight || b.count - a.count);
  return groups[0]?.delimiter ?? ",";
}

/** Rows with the number of their first line. Reading stops after a row that is not valid CSV. */
async function* readRows(
  text: AsyncIterable<string>,
  options: { delimiter: string; trim: boolean },
): AsyncGenerator<SheetRow> {
  const rows: SheetRow[] = [];
  let line = 1;
  let emptyLines = 0;
  const skipEmptyLines = (all: number) => {
    line += all - emptyLines;
    emptyLines = all;
  };
  const parser = parseCsv({
    ...options,
    // A file can be concatenated from files with different line breaks.
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: largestRecordLength,
    cast: (cell, { quoting, column }) => {
      // Empty cells do not count for the size of a record.
      if (Number(column) >= maxColumns) throw new TooManyColumns();
      // A quoted empty cell is empty text; an unquoted one is no value.
      return cell === "" && !quoting ? null : cell;
    },
    on_record: (cells: (string | null)[], { empty_lines }) => {
      skipEmptyLines(empty_lines);
      rows.push({ line, cells });
      line += 1 + cells.reduce((sum, cell) => sum + lineBreaks(cell), 0);
      return null;
    },
  });
  // Each write reports its own error below; without a listener the event would end the process.
  parser.on("error", () => undefined);
  const step = async (feed: (done: (error?: Error | null) => void) => void): Promise<SheetRow[]> => {
    const error = await new Promise<CsvError | undefined>((resolve) =>
      feed((failure) => resolve((failure as CsvError | null | undefined) ?? undefined)),
    );
    if (error) {
      skipEmptyLines(parser.info.empty_lines);
      const problem =
        error instanceof TooManyColumns
          ? `has more than ${maxColumns} columns`
          : (csvProblems[error.code] ?? `is not valid CSV: ${error.message}`);
      rows.push({ line, problem: `${problem}; the rest of the file was not read` });
    }
    checkEmptyRows(parser.info.empty_lines);
    return rows.splice(0);
  };
  for await (const chunk of text) {
    yield* await step((done) => parser.write(chunk, done));
    if (parser.destroyed) return;
  }
  yield* await step((done) => parser.end(done));
}

class TooManyColumns extends Error {}

const csvProblems: Partial<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: "has a quoted cell without a closing quote",
  CSV_INVALID_CLOSING_QUOTE: "has text after a closing quote; double the quotes inside a quoted cell",
  INVALID_OPENING_QUOTE: "has a quote in an unquoted cell; quote the cell and double the quotes inside it",
  CSV_MAX_RECORD_SIZE: `is longer than ${largestRecordLength} characters`,
};

function lineBreaks(cell: string | null): number {
  return cell?.match(/\r\n|[\r\n]/g)?.length ?? 0;
}
