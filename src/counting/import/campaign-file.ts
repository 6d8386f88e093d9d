// Reads the records of a campaign file as a stream. It detects the format: saved pages of the API, a JSON array, NDJSON
// or CSV.

import { type CsvSample, readCsv, readCsvSample } from "./campaign-csv.ts";
import { type FileEntry, isGzip, largestRecordLength } from "./file-entry.ts";
import { readDocuments } from "./json-documents.ts";
import type { Mapping, MappingChoice } from "./mapping.ts";

/**
 * The entries of a file, in order. A record that cannot be read is an entry with a problem, and the last entry if the
 * rest of the file cannot be read either.
 *
 * @param bytes the file, in chunks of any size
 * @param choice how columns of a CSV file with other names are mapped
 * @param onMapping called with the mapping of such a file and its header
 */
export async function* readCampaignFile(
  bytes: AsyncIterable<Uint8Array>,
  choice: MappingChoice,
  onMapping: (mapping: Mapping, header: readonly string[]) => void = () => undefined,
): AsyncGenerator<FileEntry> {
  const text = decode(bytes);
  try {
    const { start, all } = await peek(text);
    const format = formatOf(start);
    if (format === "empty") yield { where: "file", problem: "is empty" };
    else if (format === "csv") yield* readCsv(all, start, choice, onMapping);
    else if (format === "pages") yield* readDocuments(all, "emails");
    else {
      const entries = format === "array" ? readDocuments(all, "") : readLines(all);
      for await (const entry of entries) yield* unpackPage(entry);
    }
  } catch (error) {
    if (error instanceof NotText) {
      yield { where: "file", problem: error.message };
    } else if ((error as NodeJS.ErrnoException).syscall !== undefined) {
      yield { where: "file", problem: `cannot be read: ${(error as Error).message}` };
    } else throw error;
  } finally {
    // Closes the file even if reading stopped early.
    await text.return(undefined);
  }
}

/** The header and the first rows of a CSV file; undefined for any other file, and for one that cannot be read. */
export async function readSample(
  bytes: AsyncIterable<Uint8Array>,
  maxRows: number,
): Promise<CsvSample | undefined> {
  const text = decode(bytes);
  try {
    const { start, all } = await peek(text);
    return formatOf(start) === "csv" ? await readCsvSample(all, start, maxRows) : undefined;
  } catch (error) {
    if (error instanceof NotText) return undefined;
    throw error;
  } finally {
    await text.return(undefined);
  }
}

class NotText extends Error {}

/** Decodes UTF-8, without a byte order mark at the start (Excel writes one). */
async function* decode(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decoded = (chunk?: Uint8Array) => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new NotText("is not UTF-8 text; save it as UTF-8 (in Excel: CSV UTF-8)");
    }
  };
  let isStart = true;
  for await (const chunk of bytes) {
    if (isStart && isGzip(chunk)) {
      throw new NotText("is compressed with gzip; decompress it first");
    }
    isStart = false;
    yield decoded(chunk);
  }
  yield decoded();
}

/** The start of a text, with its first line unless that is too long, and the whole text. */
async function peek(text: AsyncGenerator<string>): Promise<{ start: string; all: AsyncGenerator<string> }> {
  let start = "";
  let done = false;
  while (!done && !start.trimStart().includes("\n") && start.length < largestRecordLength) {
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
  let rest = "";
  let number = 0;
  for await (const chunk of text) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield* readLine(line, ++number);
    if (rest.length > largestRecordLength) break;
  }
  yield* readLine(rest, number + 1);
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
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    yield { where, problem: `is not valid JSON: ${(error as Error).message}` };
    return;
  }
  yield { where, record: value };
}

/** Replaces a page by its records: a line, or an element of an array, can be a whole page. */
function* unpackPage(entry: FileEntry): Generator<FileEntry> {
  const { emails, id } = (("record" in entry && entry.record) || {}) as { emails?: unknown; id?: unknown };
  if (!Array.isArray(emails) || id !== undefined) yield entry;
  else yield* emails.map((record: unknown, index) => ({ where: `${entry.where}, emails[${index}]`, record }));
}
