// The bytes of a request with events: unpacked, and cut into events, each readable or not.

import { quote } from "../../campaign/quote.ts";
import { AppError } from "../../errors.ts";
import { checkValueCount, decodeUtf8, gunzip, parseJson } from "../../limits/bounded-json.ts";
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
  const bytes = isPacked ? gunzip(body, batchLimits.unpackedBytes) : body;
  checkValueCount(bytes, batchLimits.values);
  const entries = format === "json" ? readDocument(decodeUtf8(bytes)) : readLines(bytes);
  if (entries.length > batchLimits.events) {
    throw new AppError(
      "payload_too_large",
      `The request has ${entries.length} events; up to ${batchLimits.events} are accepted at once.`,
    );
  }
  return { entries, bytes: bytes.length };
}

function readDocument(text: string): Entry[] {
  const document = parseJson(
    text,
    "One event a line is NDJSON: send it with Content-Type: application/x-ndjson.",
  ) as { events?: unknown } | null;
  const events = document?.events;
  if (Array.isArray(events)) return events.map((input: unknown) => ({ input }));
  throw new AppError(
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
  throw new AppError(
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
