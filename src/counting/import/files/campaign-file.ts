// Reads the records of a campaign file as a stream. It detects the format: saved pages of the API, a JSON array, NDJSON,
// CSV or XLSX.

import {
  checkEmptyRows,
  type FileEntry,
  largestRecordLength,
  UnreadableFile,
} from "../mapping/file-entry.ts";
import type { MappingChoice } from "../mapping/mapping.ts";
import { isXlsx, readXlsxRows } from "../xlsx/xlsx-rows.ts";
import { peek, readCsvRows } from "./campaign-csv.ts";
import { decodeText } from "./decode-text.ts";
import { parseRecord, readDocuments } from "./json-documents.ts";
import { splitLines } from "./split-lines.ts";
import { readTable, type TableObserver } from "./table.ts";

/**
 * The entries of a file, in order. A record that cannot be read is an entry with a problem, and the last entry if the
 * rest of the file cannot be read either.
 *
 * @param bytes the file, in chunks of any size
 * @param choose how columns of a table with other names are mapped, when its header is known
 */
export async function* readCampaignFile(
  bytes: AsyncIterable<Uint8Array>,
  choose: (header: string[]) => MappingChoice,
  observer: TableObserver = {},
): AsyncGenerator<FileEntry> {
  const { onNotice = () => undefined } = observer;
  const chunks = bytes[Symbol.asyncIterator]();
  try {
    const first = await chunks.next();
    const start = first.done ? new Uint8Array() : first.value;
    const whole = afterFirst(start, chunks);
    if (isXlsx(start)) {
      // Columns of a sheet are always mapped, so it needs no ids.
      const chooseMapped = (header: string[]) => {
        const choice = choose(header);
        return { ...choice, columns: choice.columns ?? new Map() };
      };
      yield* readTable(readXlsxRows(whole, onNotice), chooseMapped, observer);
      return;
    }
    const { start: lines, all } = await peek(decodeText(whole, onNotice));
    const format = formatOf(lines);
    if (format === "empty") yield { where: "file", problem: "is empty" };
    else if (format === "csv") yield* readTable(readCsvRows(all, lines), choose, observer);
    else if (format === "pages") yield* readDocuments(all, "emails");
    else {
      const entries = format === "array" ? readDocuments(all, "") : readLines(all);
      for await (const entry of entries) yield* unpackPage(entry);
    }
  } catch (error) {
    if (error instanceof UnreadableFile) {
      yield { where: "file", problem: error.message };
    } else if ((error as NodeJS.ErrnoException).syscall !== undefined) {
      yield { where: "file", problem: `cannot be read: ${(error as Error).message}` };
    } else throw error;
  } finally {
    // Closes the file even if reading stopped early.
    await chunks.return?.();
  }
}

async function* afterFirst(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
}

type Format = "empty" | "array" | "pages" | "lines" | "csv";

/** A page starts with `emails` or `meta`, or its first line is only a brace. */
function formatOf(start: string): Format {
  const trimmed = start.trimStart();
  if (trimmed === "") return "empty";
  if (trimmed.startsWith("[")) return "array";
  if (/^\{\s*(?:$|\n|"(?:emails|meta)"\s*:)/.test(trimmed)) return "pages";
  return trimmed.startsWith("{") ? "lines" : "csv";
}

async function* readLines(text: AsyncIterable<string>): AsyncGenerator<FileEntry> {
  let emptyLines = 0;
  for await (const { content, line } of splitLines(text, largestRecordLength)) {
    if (content.trim() === "") checkEmptyRows(++emptyLines);
    yield* readLine(content, line);
  }
}

function* readLine(line: string, number: number): Generator<FileEntry> {
  const where = `line ${number}`;
  if (line.length > largestRecordLength) {
    yield { where, problem: `is longer than ${largestRecordLength} characters` };
    return;
  }
  // Concatenated files have a byte order mark in the middle. trim() removes it like a space.
  const text = line.trim();
  if (text === "") return;
  yield parseRecord(where, text);
}

/** Replaces a page by its records: a line, or an element of an array, can be a whole page. */
function* unpackPage(entry: FileEntry): Generator<FileEntry> {
  const { emails, id } = (("record" in entry && entry.record) || {}) as { emails?: unknown; id?: unknown };
  if (!Array.isArray(emails) || id !== undefined) yield entry;
  else yield* emails.map((record: unknown, index) => ({ where: `${entry.where}, emails[${index}]`, record }));
}
