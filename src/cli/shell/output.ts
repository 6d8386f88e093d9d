// How commands print: results on standard output, as a table or as JSON (one object a line), and everything else on
// standard error.

import { styleText } from "node:util";

export interface Output {
  /** Whether results are printed as JSON. */
  json: boolean;
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream & { isTTY?: boolean; columns?: number };
}

/** Prints rows as a table with a header, or as one JSON object a line. */
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
  const [header = "", ...body] = lines;
  output.stdout.write(`${[bold(output, header), ...body].join("\n")}\n`);
}

/** Prints the result of a command: a text, or the row as JSON. @param note for people, on standard error */
export function printResult(output: Output, row: object, text: string, note?: string): void {
  output.stdout.write(output.json ? `${JSON.stringify(row)}\n` : `${text}\n`);
  if (note !== undefined && !output.json) output.stderr.write(`${note}\n`);
}

/** Escapes control characters (as in `\u001b`), so that untrusted text cannot control the terminal. */
export function printable(text: string): string {
  return text.replace(
    /\p{Cc}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function bold({ stdout }: Output, text: string): string {
  return styleText("bold", text, { stream: stdout as NodeJS.WriteStream });
}
