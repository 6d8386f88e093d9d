// What an import of campaigns has done so far: counts, errors and warnings.

import type { SaveStatus } from "../campaigns/save-reported-campaigns.ts";
import { Warnings } from "./import-warnings.ts";

/** `counted` is not an outcome but an error: an import cannot replace numbers that are counted from events. */
type SaveOutcome = Exclude<SaveStatus, "counted">;

export const maxErrorsShown = 100;
/** One that lists the columns of a file has some thousand characters. */
const maxErrorLength = 5_000;

/** The result of one file. */
export class FileResult {
  readonly outcomes: Record<SaveOutcome, number> = { added: 0, changed: 0, unchanged: 0 };
  /** The first errors, as they are printed. */
  readonly errors: string[] = [];
  errorCount = 0;
  /** Whether the user has to choose the order of dates. */
  needsDateOrder = false;
  readonly warnings: Warnings;

  constructor(warnings: Warnings) {
    this.warnings = warnings;
  }

  addError(where: string, problem: string): void {
    this.errorCount += 1;
    if (this.errors.length >= maxErrorsShown) return;
    // A copy: a part of a long text keeps all of it in memory.
    this.errors.push(Buffer.from(`${where}: ${problem}`.slice(0, maxErrorLength)).toString());
  }
}

/** The result of all files. */
export class ImportTotal extends FileResult {
  constructor() {
    super(new Warnings());
  }

  /** Adds the result of a file. Its records count only if no file has had errors: otherwise nothing was written. */
  add(result: FileResult, prefix: string): void {
    this.errors.push(...result.errors.map((error) => prefix + error));
    this.errorCount += result.errorCount;
    this.needsDateOrder ||= result.needsDateOrder;
    if (this.errorCount > 0) return;
    for (const outcome of Object.keys(this.outcomes) as SaveOutcome[]) {
      this.outcomes[outcome] += result.outcomes[outcome];
    }
  }
}
