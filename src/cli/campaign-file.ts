// Reads the records of a campaign file as a stream, whatever people have: pages saved from the hosted service, a JSON
// array, NDJSON, or CSV (also as Excel writes it).

import { JSONParser } from "@streamparser/json";
import { CsvError, type Info, parse as parseCsv } from "csv-parse";
import { emailRecordFieldNames, emailRecordSchema, largestTextLength } from "../campaign/email-record.ts";

/** One record, or what is wrong at its place. */
export type FileEntry = { where: string; record: unknown } | { where: string; problem: string };

/** Longer than any record can be whose fields are within their bounds. */
const largestRecordLength = 32 * largestTextLength;

/**
 * The entries of a file in their order. What cannot be read is an entry with a problem; where the rest of the file
 * cannot be understood after it, it is the last one.
 *
 * @param bytes the file, in pieces of any size
 */
export async function* readCampaignFile(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<FileEntry> {
  const text = decode(bytes);
  try {
    const { start, all } = await peek(text);
    const format = formatOf(start);
    if (format === "empty") yield { where: "file", problem: "is empty" };
    else if (format === "lines") yield* readLines(all);
    else if (format === "csv") yield* readCsv(all, start);
    else if (format === "array") yield* readDocument(all, { path: "$.*", name: "" });
    else if (/"emails"\s*:\s*\[/.test(start))
      yield* readDocument(all, { path: "$.emails.*", name: "emails" });
    else yield { where: "file", problem: 'has no list named "emails"' };
  } catch (error) {
    if (!(error instanceof NotUtf8)) throw error;
    yield { where: "file", problem: "is not UTF-8 text; save it as UTF-8 (in Excel: CSV UTF-8)" };
  }
}

class NotUtf8 extends Error {}

/** Text without the byte order mark that Excel puts before it. */
async function* decode(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decoded = (piece?: Uint8Array) => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined });
    } catch {
      throw new NotUtf8();
    }
  };
  for await (const piece of bytes) yield decoded(piece);
  yield decoded();
}

/** The beginning of a text, up to its first line's end where that is near, and all of it. */
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

/** A page begins with `emails` or `meta`, or its first line holds nothing but a brace. */
function formatOf(start: string): Format {
  const trimmed = start.trimStart();
  if (trimmed === "") return "empty";
  if (trimmed.startsWith("[")) return "array";
  if (/^\{\s*(?:$|\n|"(?:emails|meta)"\s*:)/.test(trimmed)) return "pages";
  return trimmed.startsWith("{") ? "lines" : "csv";
}

/** The members of one list, wherever the pieces are cut; several documents may follow each other. */
async function* readDocument(
  text: AsyncIterable<string>,
  { path, name }: { path: string; name: string },
): AsyncGenerator<FileEntry> {
  const found: FileEntry[] = [];
  let count = 0;
  const parser = new JSONParser({ paths: [path], keepStack: false, separator: "" });
  parser.onValue = ({ value }) => found.push({ where: `${name}[${count++}]`, record: value });
  try {
    for await (const piece of text) {
      parser.write(piece);
      yield* found.splice(0);
    }
    if (!parser.isEnded) parser.end();
  } catch (error) {
    yield* found.splice(0);
    if (error instanceof NotUtf8) throw error;
    yield { where: `after ${count} records`, problem: `is not valid JSON: ${(error as Error).message}` };
  }
}

async function* readLines(text: AsyncIterable<string>): AsyncGenerator<FileEntry> {
  let rest = "";
  let number = 0;
  for await (const piece of text) {
    const lines = (rest + piece).split("\n");
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
  if (line.trim() === "") return;
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    yield { where, problem: `is not valid JSON: ${(error as Error).message}` };
    return;
  }
  const { emails } = (value ?? {}) as { emails?: unknown };
  if (!Array.isArray(emails)) yield { where, record: value };
  else yield* emails.map((record: unknown, index) => ({ where: `${where}, emails[${index}]`, record }));
}

async function* readCsv(text: AsyncIterable<string>, start: string): AsyncGenerator<FileEntry> {
  const header = start.trimStart().split(/\r?\n/, 1)[0] ?? "";
  const delimiter = [",", ";", "\t"].reduce((best, each) =>
    count(header, each) > count(header, best) ? each : best,
  );
  const parser = parseCsv({
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: largestRecordLength,
    // Quoted and empty is empty text, just empty is no value.
    cast: (cell, { quoting }) => (cell === "" && !quoting ? null : cell),
  });
  const feeding = feed(text, parser);
  let columns: string[] | undefined;
  let line = 1;
  try {
    for await (const { record: cells, info } of parser as AsyncIterable<{
      record: (string | null)[];
      info: Info;
    }>) {
      const where = `line ${line}`;
      line = info.lines + 1;
      if (!columns) {
        columns = cells.map((cell) => (cell ?? "").trim());
        const missing = ["id", "subject", "sent_at"].filter((name) => !columns?.includes(name));
        const twice = columns.find((name, index) => columns?.indexOf(name) !== index);
        if (missing.length > 0)
          yield { where, problem: `has no column ${missing.join(", ")}; the field names must be the header` };
        if (twice !== undefined) yield { where, problem: `has the column ${JSON.stringify(twice)} twice` };
        if (missing.length > 0 || twice !== undefined) return;
      } else if (cells.length !== columns.length) {
        yield { where, problem: `has ${cells.length} columns where the header has ${columns.length}` };
      } else {
        yield { where, record: toRecord(columns, cells, delimiter) };
      }
    }
    await feeding;
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    yield { where: `line ${line}`, problem: `is not valid CSV: ${error.message}` };
  }
}

async function feed(text: AsyncIterable<string>, parser: ReturnType<typeof parseCsv>): Promise<void> {
  try {
    for await (const piece of text) {
      if (parser.destroyed) return;
      if (!parser.write(piece)) {
        await new Promise<void>((resolve) => {
          parser.once("drain", resolve);
          parser.once("close", resolve);
        });
      }
    }
    parser.end();
  } catch (error) {
    parser.destroy(error as Error);
  }
}

function count(text: string, character: string): number {
  return text.split(character).length - 1;
}

/** A row in the shape that JSON would have: numbers as numbers, tags as objects. */
function toRecord(columns: readonly string[], cells: readonly (string | null)[], delimiter: string) {
  const record: Record<string, unknown> = {};
  for (const [index, name] of columns.entries()) {
    const cell = cells[index] ?? null;
    const schema = Object.hasOwn(emailRecordSchema.properties, name)
      ? emailRecordSchema.properties[name as keyof typeof emailRecordSchema.properties]
      : undefined;
    if (name === "tags") record[name] = cell === null ? null : parseTags(cell);
    else if (cell !== null && (schema?.type === "integer" || schema?.type === "number")) {
      record[name] = parseNumber(cell, delimiter);
    } else record[name] = cell;
  }
  return record;
}

/** Excel writes a decimal comma in those countries where it separates cells by semicolons. Other text stays as it is. */
function parseNumber(cell: string, delimiter: string): number | string {
  const text = delimiter === ";" ? cell.trim().replace(/^(-?\d+),(\d+)$/, "$1.$2") : cell.trim();
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text) ? Number(text) : cell;
}

const escaped = /\\([\\;])/g;

/** `Name` or `Name #RRGGBB`, separated by `;`. A backslash goes before a `;`, or a backslash, that belongs to a name. */
function parseTags(cell: string): { name: string; color?: string }[] {
  const entries = cell.match(/(?:\\[\\;]|[^;])+/g) ?? [];
  return entries
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
    .map((entry) => {
      const match = /^(.*\S)\s+(#[0-9A-Fa-f]{6})$/s.exec(entry);
      const name = (match?.[1] ?? entry).replace(escaped, "$1");
      return match?.[2] ? { name, color: match[2] } : { name };
    });
}

/** The header and rows of a CSV file that {@link readCampaignFile} reads back as it was. */
export function csvLine(cells: readonly unknown[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(value: unknown): string {
  if (value === null) return "";
  const text = String(value);
  return text === "" || /[",;\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvHeader = csvLine(emailRecordFieldNames);

export function formatTags(tags: readonly { name: string; color: string }[]): string | null {
  if (tags.length === 0) return null;
  return tags.map(({ name, color }) => `${name.replace(/[\\;]/g, "\\$&")} ${color}`).join(";");
}
