// The bytes of a request with events: unpacked, and cut into events, each readable or not.

import { gunzipSync } from "node:zlib";
import { quote } from "../campaign/fields.ts";
import { Refusal } from "../errors.ts";
import type { Entry } from "./arrival.ts";

export const batchLimits = {
  events: 5_000,
  /** As sent, and unpacked. */
  sentBytes: 5 * 1024 * 1024,
  unpackedBytes: 50 * 1024 * 1024,
  /** Members of lists and objects in all: an event has at most some twenty. */
  values: 500_000,
} as const;

const lineFeed = 0x0a;

export type BatchFormat = "json" | "ndjson";

export interface Batch {
  entries: Entry[];
  /** Bytes of the body when it is unpacked. */
  bytes: number;
}

/** @throws Refusal when the bytes as a whole are not what they should be */
export function readBatch(body: Uint8Array, format: BatchFormat, isPacked: boolean): Batch {
  const bytes = isPacked ? unpack(body, batchLimits.unpackedBytes) : body;
  refuseTooManyValues(bytes);
  const entries = format === "json" ? readDocument(toText(bytes)) : readLines(bytes);
  if (entries.length > batchLimits.events) {
    throw new Refusal(
      "payload_too_large",
      `The request has ${entries.length} events; up to ${batchLimits.events} are accepted at once.`,
    );
  }
  return { entries, bytes: bytes.length };
}

/**
 * @param bytesMax when the body is unpacked
 * @throws Refusal when the bytes are no JSON, or hold too much
 */
export function readJson(
  body: Uint8Array,
  isPacked: boolean,
  { bytesMax, valuesMax }: { bytesMax: number; valuesMax: number },
): unknown {
  const bytes = isPacked ? unpack(body, bytesMax) : body;
  refuseTooManyValues(bytes, valuesMax);
  return parse(toText(bytes));
}

/**
 * Looked for before anything is parsed: a few packed bytes can stand for more values than the memory holds.
 *
 * @throws Refusal `payload_too_large`
 */
export function refuseTooManyValues(bytes: Uint8Array, valuesMax: number = batchLimits.values): void {
  if (bytes.length <= valuesMax) return;
  let values = 0;
  let isInText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (isInText && byte === 0x5c) at += 1;
    else if (byte === 0x22) isInText = !isInText;
    else if (!isInText && (byte === 0x2c || byte === 0x5b || byte === 0x7b || byte === lineFeed)) values += 1;
  }
  if (values <= valuesMax) return;
  throw new Refusal(
    "payload_too_large",
    `The request body holds ${values} values; up to ${valuesMax} are accepted.`,
  );
}

function unpack(body: Uint8Array, bytesMax: number): Uint8Array {
  try {
    return gunzipSync(body, { maxOutputLength: bytesMax });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") {
      throw new Refusal(
        "payload_too_large",
        `The request body is larger than ${bytesMax} bytes when it is unpacked.`,
      );
    }
    throw new Refusal(
      "bad_request",
      "The request body is not what Content-Encoding says: it is no whole gzip.",
    );
  }
}

function toText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal("bad_request", "The request body is not UTF-8 text.");
  }
}

function parse(text: string, hint = ""): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Refusal(
      "bad_request",
      `The request body is not valid JSON: ${(error as Error).message}. ${hint}`.trim(),
    );
  }
}

function readDocument(text: string): Entry[] {
  const document = parse(
    text,
    "One event a line is NDJSON: send it with Content-Type: application/x-ndjson.",
  ) as { events?: unknown } | null;
  const events = document?.events;
  if (Array.isArray(events)) return events.map((input: unknown) => ({ input }));
  throw new Refusal(
    "bad_request",
    `${Array.isArray(document) ? "The list has no name" : `events: ${quote(events)} is not a list of events`}; the body is {"events": [...]}, or NDJSON with Content-Type: application/x-ndjson.`,
  );
}

/** One event a line; empty lines are none. */
function readLines(bytes: Uint8Array): Entry[] {
  const entries: Entry[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(lineFeed, start);
    const entry = readEventLine(bytes.subarray(start, end < 0 ? bytes.length : end));
    if (entry) entries.push(entry);
    if (entries.length === 1) refuseDocument(entries[0]?.input);
    start = end < 0 ? bytes.length : end + 1;
  }
  return entries;
}

/** A whole document on one line would be taken for one event that is none of ours, and all of its events be lost. */
function refuseDocument(input: unknown): void {
  const { events, campaign_id: reference } = (input ?? {}) as { events?: unknown; campaign_id?: unknown };
  if (!Array.isArray(events) || reference !== undefined) return;
  throw new Refusal(
    "bad_request",
    "The request body is one JSON document: send it with Content-Type: application/json.",
  );
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** An event, or what is wrong with the line; undefined for an empty one. */
export function readEventLine(bytes: Uint8Array): Entry | undefined {
  let text: string;
  try {
    // A byte order mark may stand in the middle, where files were put together; trim takes it for a space.
    text = decoder.decode(bytes).trim();
  } catch {
    return { input: undefined, unreadable: "is not UTF-8 text" };
  }
  if (text === "") return undefined;
  try {
    return { input: JSON.parse(text) };
  } catch {
    return { input: undefined, unreadable: "is not valid JSON" };
  }
}
