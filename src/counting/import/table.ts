// The records of a table with a header: a CSV file or a sheet.

import { emailRecordSchema } from "../../campaign/email-record-schema.ts";
import { type FoundDateOrder, findDateOrder } from "./date-order.ts";
import { type Cells, checkEmptyRows, type FileEntry, type SheetRow } from "./file-entry.ts";
import { rowMapper } from "./map-row.ts";
import { chooseMapping, type Mapping, type MappingChoice, ownRequiredFields } from "./mapping.ts";
import { parseTagCell } from "./tag-cell.ts";

export interface TableSource {
  rows: AsyncIterable<SheetRow>;
  /** Where it is a semicolon, numbers may have a decimal comma. */
  delimiter: string;
}

/** Sees the parts of a table while it is read. */
export interface TableObserver {
  /** Called with the mapping, if the header has other names. */
  onMapping?: (mapping: Mapping, header: readonly string[]) => void;
  /** Called with each row below the header that is not empty. */
  onRow?: (cells: Cells) => void;
}

/**
 * The records of a table whose header contains the field names, or columns that are mapped to them.
 *
 * @param choose called with the header
 */
export async function* readTable(
  { rows, delimiter }: TableSource,
  choose: (header: string[]) => MappingChoice,
  { onMapping, onRow }: TableObserver,
): AsyncGenerator<FileEntry> {
  let columns: string[] | undefined;
  let toEntry: (where: string, cells: Cells, found?: FoundDateOrder) => FileEntry = (where, cells) => ({
    where,
    record: toRecord(columns ?? [], cells, delimiter),
  });
  let dates: { column: number; timeZone: string } | undefined;
  let emptyRows = 0;
  for await (const { row, found } of findDateOrder(rows, () => dates)) {
    const where = `line ${row.line}`;
    if ("problem" in row) yield { where, problem: row.problem };
    else if (row.cells.every((cell) => cell === null)) checkEmptyRows(++emptyRows);
    else if (!columns) {
      columns = trimEmptyEnd(row.cells).map((cell) => (cell ?? "").trim());
      const choice = choose(columns);
      const mapped = chooseMapping(columns, choice);
      const problems = mapped?.problems ?? headerProblems(columns);
      yield* problems.map((problem) => ({ where, problem }));
      if (problems.length > 0) return;
      if (mapped) {
        onMapping?.(mapped.mapping, columns);
        toEntry = rowMapper(columns, mapped.mapping, delimiter);
        const { sent_at = "" } = mapped.mapping.columns;
        const { timeZone, dateOrder } = choice;
        if (dateOrder === undefined) dates = { column: columns.indexOf(sent_at), timeZone };
      }
    } else {
      onRow?.(row.cells);
      const isWhole = trimEmptyEnd(row.cells).length <= columns.length && row.cells.length >= columns.length;
      const problem = `has ${row.cells.length} columns; the header has ${columns.length}`;
      yield isWhole ? toEntry(where, row.cells, found) : { where, problem };
    }
  }
}

/** Spreadsheets write empty cells after the last column, and empty rows at the end. */
function trimEmptyEnd(cells: Cells): Cells {
  return cells.slice(0, cells.findLastIndex((cell) => cell !== null && cell.trim() !== "") + 1);
}

function headerProblems(columns: readonly string[]): string[] {
  const names = new Set<string>();
  const twice = columns.find((name) => names.size === names.add(name).size);
  const missing = ownRequiredFields.filter((name) => !columns.includes(name));
  return [
    ...(missing.length > 0
      ? [
          `has no column ${missing.join(", ")}; the header must contain the field names in lowercase, or its columns must be mapped (--map)`,
        ]
      : []),
    ...(twice === undefined ? [] : [`has the column ${JSON.stringify(twice)} twice`]),
  ];
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
