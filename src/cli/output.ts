// How commands speak: results on standard output, for people or as one JSON object a line, everything else on
// standard error.

import { styleText } from "node:util";

export interface Output {
  /** Whether results are printed as JSON. */
  json: boolean;
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream & { isTTY?: boolean; columns?: number };
}

/** Prints rows under their names, or each row as one JSON object a line. */
export function printRows(output: Output, rows: readonly object[], whenEmpty: string): void {
  if (output.json) {
    for (const row of rows) output.stdout.write(`${JSON.stringify(row)}\n`);
    return;
  }
  const [first] = rows;
  if (!first) {
    output.stderr.write(`${whenEmpty}\n`);
    return;
  }
  const names = Object.keys(first);
  const cells = [names, ...rows.map((row) => Object.values(row).map(String).map(printable))];
  const widths = names.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const lines = cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const [head = "", ...body] = lines;
  output.stdout.write(`${[bold(output, head), ...body].join("\n")}\n`);
}

/** Text from elsewhere as one line that moves no cursor: control characters are shown as `\u001b`, say. */
export function printable(text: string): string {
  return text.replace(
    /\p{Cc}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** `1 event`, `2 events`. */
export function counted(number: number, noun: string): string {
  return number === 1 ? `1 ${noun}` : `${number} ${noun}s`;
}

/** One line that says what was done, for people; programs get the row as JSON. */
export function printDone(output: Output, row: object, sentence: string): void {
  output.stdout.write(output.json ? `${JSON.stringify(row)}\n` : `${sentence}\n`);
}

function bold({ stdout }: Output, text: string): string {
  return styleText("bold", text, { stream: stdout as NodeJS.WriteStream });
}
