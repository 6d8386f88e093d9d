// The records of a table with a header: a CSV file or a sheet.

import { dateOrderOf } from "../../../campaign/calendar/exported-time.ts";
import { quote } from "../../../campaign/fields/quote.ts";
import { type Cells, checkEmptyRows, type FileEntry, type SheetRow } from "../mapping/file-entry.ts";
import { type FormQuestions, findForms } from "../mapping/file-forms.ts";
import { rateEvidenceOf, rowMapper } from "../mapping/map-row.ts";
import {
  chooseMapping,
  guessColumns,
  hasOwnForm,
  type Mapping,
  type MappingChoice,
  ownRequiredFields,
} from "../mapping/mapping.ts";
import { turnMailchimpReport } from "./mailchimp-report.ts";

interface TableHeader {
  columns: string[];
  /** The line of the header in the file. Titles may be above it. */
  line: number;
}

/** Sees the parts of a table while it is read. */
export interface TableObserver {
  /** Called with the mapping of the header. */
  onMapping?: (mapping: Mapping, columns: readonly string[]) => void;
  /** Called with each row below the header that is not empty. */
  onRow?: (cells: Cells) => void;
  /** Called with a sentence about how the file is read, where it may be meant in another way. */
  onNotice?: (notice: string) => void;
}

/**
 * The records of a table whose header contains the field names, or columns that are mapped to them.
 *
 * @param choose called with rows that may be the header, with the header last
 */
export async function* readTable(
  rows: AsyncIterable<SheetRow>,
  choose: (header: string[]) => MappingChoice,
  { onMapping, onRow, onNotice }: TableObserver,
): AsyncGenerator<FileEntry> {
  const { header, rest } = await findHeader(
    turnMailchimpReport(rows),
    (columns) => hasGuessedFields(columns) || chooseMapping(columns, choose(columns))?.problems.length === 0,
  );
  if (header === undefined) {
    for await (const row of rest) {
      if ("problem" in row) yield { where: `line ${row.line}`, problem: row.problem };
    }
    return;
  }
  const { line, columns } = header;
  const mapped = chooseMapping(columns, choose(columns));
  const problems = mapped?.problems ?? [headerProblem(columns)];
  yield* problems.map((problem) => ({ where: `line ${line}`, problem }));
  if (problems.length > 0 || !mapped) return;
  const { mapping } = mapped;
  onMapping?.(mapping, header.columns);
  if (line > 1) onNotice?.(`the header is line ${line}; nothing above it is imported`);
  const { sent_at } = mapping.columns;
  if (mapping.timeOfDay !== undefined)
    onNotice?.(`${quote(sent_at)} has its time of day in ${quote(mapping.timeOfDay)}`);
  const toEntry = rowMapper(columns, mapping);
  for await (const { row, forms } of findForms(rest, questionsOf(columns, mapping))) {
    const where = `line ${row.line}`;
    if ("problem" in row) yield { where, problem: row.problem };
    else {
      onRow?.(row.cells);
      const isWhole = trimEmptyEnd(row.cells).length <= columns.length && row.cells.length >= columns.length;
      const problem = `has ${row.cells.length} columns; the header has ${columns.length}`;
      yield isWhole ? toEntry(where, row.cells, forms) : { where, problem };
    }
  }
}

function questionsOf(columns: readonly string[], mapping: Mapping): FormQuestions {
  const datesAt = columns.indexOf(mapping.columns.sent_at ?? "");
  const dateOrder = (cells: Cells) => {
    const text = cells[datesAt]?.trim() ?? "";
    const order = dateOrderOf(text, mapping.timeZone);
    return order === "ambiguous" ? ("needed" as const) : order && { form: order, text };
  };
  return {
    ...(mapping.dateOrder === undefined && { dateOrder }),
    ...(mapping.rates === undefined &&
      !hasOwnForm(columns) && { rates: rateEvidenceOf(columns, mapping.columns) }),
  };
}

/** The header is looked for in this many rows, because titles may be above it. */
const maxRowsAbove = 20;

/**
 * The first row that can be the header, because it has the columns that are needed; without one, the first row with two columns
 * or the first at all.
 */
async function findHeader(
  rows: AsyncIterable<SheetRow>,
  isHeader: (columns: string[]) => boolean,
): Promise<{ header: TableHeader | undefined; rest: AsyncGenerator<SheetRow> }> {
  const filled = filledRows(rows);
  const held: SheetRow[] = [];
  const toHeader = (row: SheetRow | undefined): TableHeader | undefined =>
    row && "cells" in row
      ? { line: row.line, columns: trimEmptyEnd(row.cells).map((cell) => (cell ?? "").trim()) }
      : undefined;
  const fits = (row: SheetRow) => isHeader(toHeader(row)?.columns ?? []);
  let at = -1;
  while (at < 0 && held.length < maxRowsAbove) {
    const { done, value } = await filled.next();
    if (done) break;
    held.push(value);
    if ("problem" in value) break;
    if (fits(value)) at = held.length - 1;
  }
  if (at < 0)
    at = held.findIndex((row) => (toHeader(row)?.columns.filter((cell) => cell !== "").length ?? 0) > 1);
  if (at < 0) at = held.findIndex((row) => "cells" in row);
  async function* rest() {
    try {
      yield* held.slice(at + 1);
      yield* filled;
    } finally {
      await filled.return(undefined);
    }
  }
  return { header: toHeader(held[at]), rest: rest() };
}

/** @throws UnreadableFile beyond the maximum of empty rows */
async function* filledRows(rows: AsyncIterable<SheetRow>): AsyncGenerator<SheetRow, undefined> {
  let emptyRows = 0;
  for await (const row of rows) {
    if ("cells" in row && row.cells.every((cell) => cell === null)) checkEmptyRows(++emptyRows);
    else yield row;
  }
}

/** Whether columns have names of the fields that a campaign needs, in any of the known exports. */
function hasGuessedFields(columns: readonly string[]): boolean {
  const guessed = guessColumns(columns);
  return guessed.has("subject") && guessed.has("sent_at");
}

/** Spreadsheets write empty cells after the last column, and empty rows at the end. */
function trimEmptyEnd(cells: Cells): Cells {
  return cells.slice(0, cells.findLastIndex((cell) => cell !== null && cell.trim() !== "") + 1);
}

function headerProblem(columns: readonly string[]): string {
  const missing = ownRequiredFields.filter((name) => !columns.includes(name));
  return `has no column ${missing.join(", ")}; the header must contain the field names in lowercase, or its columns must be mapped (--map)`;
}
