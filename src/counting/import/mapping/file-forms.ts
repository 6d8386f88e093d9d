// Finds out from the rows of a file what one row alone does not tell: whether 3/4/2026 is March 4 or April 3, and whether a
// rate of 0.65 is 65 % or 0.65 %.

import type { DateOrder } from "../../../campaign/calendar/exported-time.ts";
import { type Cells, largestRecordLength, type SheetRow } from "./file-entry.ts";
import type { RateForm } from "./presets.ts";

/** What the first row says that tells: its text and its line. */
export interface FoundForm<Form> {
  form: Form;
  text: string;
  line: number;
}

/** The forms that the rows of a file tell. */
export interface FileForms {
  dateOrder?: FoundForm<DateOrder>;
  rates?: FoundForm<RateForm>;
}

/** What the cells of one row say: the form and the text that tells it, that they need it, or nothing. */
type Evidence<Form> = { form: Form; text: string } | "needed" | undefined;

/** The questions about a file. One that the user has answered is missing. */
export type FormQuestions = {
  [Name in keyof FileForms]: (cells: Cells) => Evidence<NonNullable<FileForms[Name]>["form"]>;
};

/** What an empty row or cell takes, in characters. */
const [rowWeight, cellWeight] = [100, 10];

/**
 * The rows, each with the forms that are found. Rows are held back from the first one on that needs a form until another row
 * tells it, as long as their texts fit into memory.
 */
export async function* findForms(
  rows: AsyncIterable<SheetRow>,
  questions: FormQuestions,
): AsyncGenerator<{ row: SheetRow; forms: FileForms }> {
  let forms: FileForms = {};
  const needed = new Set<string>();
  const held: SheetRow[] = [];
  let heldLength = 0;
  for await (const row of rows) {
    held.push(row);
    if ("cells" in row) {
      for (const [name, ask] of Object.entries(questions)) {
        const evidence = Object.hasOwn(forms, name) ? undefined : ask(row.cells);
        if (evidence === "needed") needed.add(name);
        else if (evidence) {
          needed.delete(name);
          forms = { ...forms, [name]: { ...evidence, line: row.line } };
        }
      }
      if (needed.size > 0) {
        heldLength += rowWeight;
        for (const cell of row.cells) heldLength += cellWeight + (cell?.length ?? 0);
        if (heldLength <= largestRecordLength) continue;
      }
    }
    for (const each of held.splice(0)) yield { row: each, forms };
  }
  for (const each of held) yield { row: each, forms };
}
