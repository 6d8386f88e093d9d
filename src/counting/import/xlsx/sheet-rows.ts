// The rows of an Excel sheet, while its text arrives.

import { largestRecordLength, maxColumns, type SheetRow } from "../mapping/file-entry.ts";
import { type CellForms, cellText } from "./cell-text.ts";
import { XmlParser } from "./xml.ts";

export class SheetRows {
  readonly #parser = new XmlParser({
    open: (name, attributes) => this.#open(name, attributes),
    text: (text) => {
      if (this.#isValue) this.#add(text);
    },
    close: (name) => this.#close(name),
  });
  readonly #texts: readonly string[];
  readonly #forms: CellForms;
  #rows: SheetRow[] = [];
  #line = 0;
  #cells: (string | null)[] = [];
  #problem: string | undefined;
  #width = 0;
  #length = 0;
  #cell = { reference: "", column: 0, type: "", style: 0, value: "", isFormula: false };
  #isValue = false;
  #isPhonetic = false;
  /** After a row that is too large, the rest is not read. */
  isOver = false;

  constructor(texts: readonly string[], forms: CellForms) {
    this.#texts = texts;
    this.#forms = forms;
  }

  write(text: string): void {
    this.#parser.write(text);
  }

  /** Throws an error if an element is still open. */
  end(): void {
    this.#parser.end();
  }

  take(): SheetRow[] {
    return this.#rows.splice(0);
  }

  #open(name: string, { r = "", t = "n", s = "0" }: Partial<Record<string, string>>): void {
    if (name === "row") {
      this.#line = r === "" ? this.#line + 1 : Number(r);
      this.#cells = [];
      this.#length = 0;
      this.#problem = undefined;
    } else if (name === "c") {
      const column = r === "" ? this.#cells.length : columnOf(r);
      this.#cell = { reference: r, column, type: t, style: Number(s), value: "", isFormula: false };
    } else if (name === "f") this.#cell.isFormula = true;
    else if (name === "rPh") this.#isPhonetic = true;
    else if (name === "v" || name === "t") this.#isValue = !this.#isPhonetic;
  }

  #add(text: string): void {
    this.#length += text.length;
    if (this.#length <= largestRecordLength) this.#cell.value += text;
    else this.#stop(`is longer than ${largestRecordLength} characters`);
  }

  #close(name: string): void {
    if (name === "v" || name === "t") this.#isValue = false;
    else if (name === "rPh") this.#isPhonetic = false;
    else if (name === "c") this.#endCell();
    else if (name === "row" && !this.isOver) this.#endRow();
  }

  #endCell(): void {
    const { reference, column, isFormula, type, value } = this.#cell;
    if (column >= maxColumns) {
      this.#stop(`has ${column + 1} columns; a file may have ${maxColumns}`);
      return;
    }
    if (isFormula)
      this.#problem ??= `cell ${reference} has a formula; copy the cells and paste only their values`;
    else if (type === "e") this.#problem ??= `cell ${reference} has the error ${value}`;
    while (this.#cells.length < column) this.#cells.push(null);
    this.#cells[column] = cellText(this.#cell, this.#texts, this.#forms);
    this.#length += this.#cells[column]?.length ?? 0;
    if (this.#length > largestRecordLength) this.#stop(`is longer than ${largestRecordLength} characters`);
  }

  #endRow(): void {
    // Excel leaves out empty cells at the end. A title above the header may have one cell.
    this.#width = Math.max(this.#width, this.#cells.length);
    while (this.#cells.length < this.#width) this.#cells.push(null);
    const row = { line: this.#line, cells: this.#cells };
    this.#rows.push(this.#problem === undefined ? row : { line: this.#line, problem: this.#problem });
  }

  #stop(problem: string): void {
    if (!this.isOver) this.#rows.push({ line: this.#line, problem: `${problem}; the rest was not read` });
    this.isOver = true;
  }
}

/** `C12` is 2. */
function columnOf(reference: string): number {
  let column = 0;
  for (const letter of /^[A-Z]{0,4}/.exec(reference)?.[0] ?? "")
    column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}
