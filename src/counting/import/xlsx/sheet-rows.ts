// The rows of an Excel sheet, while its text arrives.

import { largestRecordLength, maxColumns, type SheetRow } from "../mapping/file-entry.ts";
import { type CellForms, cellText } from "./cell-text.ts";
import { parseXml } from "./xml.ts";

/**
 * The rows of a sheet. After a row that is too large, the rest is not read.
 *
 * @param xml the text of the sheet
 * @param texts those that cells refer to by number
 * @throws Error if it is not XML
 */
export async function* readSheet(
  xml: AsyncIterable<string>,
  texts: readonly string[],
  forms: CellForms,
): AsyncGenerator<SheetRow> {
  const rows: SheetRow[] = [];
  let line = 0;
  let cells: (string | null)[] = [];
  let problem: string | undefined;
  let [width, length] = [0, 0];
  let cell = { reference: "", column: 0, type: "", style: 0, value: "", isFormula: false };
  let [isValue, isPhonetic, isOver] = [false, false, false];

  const stop = (reason: string) => {
    if (!isOver) rows.push({ line, problem: `${reason}; the rest was not read` });
    isOver = true;
  };
  const addLength = (added: number) => {
    length += added;
    if (length > largestRecordLength) stop(`is longer than ${largestRecordLength} characters`);
  };
  const endCell = () => {
    const { reference, column, isFormula, type, value } = cell;
    if (column >= maxColumns) return stop(`has ${column + 1} columns; a file may have ${maxColumns}`);
    if (isFormula) problem ??= `cell ${reference} has a formula; copy the cells and paste only their values`;
    else if (type === "e") problem ??= `cell ${reference} has the error ${value}`;
    while (cells.length < column) cells.push(null);
    const text = cellText(cell, texts, forms);
    cells[column] = text;
    addLength(text?.length ?? 0);
  };
  const endRow = () => {
    // Excel leaves out empty cells at the end. A title above the header may have one cell.
    width = Math.max(width, cells.length);
    while (cells.length < width) cells.push(null);
    rows.push(problem === undefined ? { line, cells } : { line, problem });
  };

  const parsing = parseXml(xml, {
    open(name, { r = "", t = "n", s = "0" }) {
      if (name === "row") {
        line = r === "" ? line + 1 : Number(r);
        [cells, length, problem] = [[], 0, undefined];
      } else if (name === "c") {
        const column = r === "" ? cells.length : columnOf(r);
        cell = { reference: r, column, type: t, style: Number(s), value: "", isFormula: false };
      } else if (name === "f") cell.isFormula = true;
      else if (name === "rPh") isPhonetic = true;
      else if (name === "v" || name === "t") isValue = !isPhonetic;
    },
    text(text) {
      if (!isValue) return;
      addLength(text.length);
      if (!isOver) cell.value += text;
    },
    close(name) {
      if (name === "v" || name === "t") isValue = false;
      else if (name === "rPh") isPhonetic = false;
      else if (name === "c") endCell();
      else if (name === "row" && !isOver) endRow();
    },
  });
  for await (const _ of parsing) {
    yield* rows.splice(0);
    if (isOver) return;
  }
}

/** `C12` is 2. */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of /^[A-Z]{0,4}/.exec(reference)?.[0] ?? "")
    column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}
