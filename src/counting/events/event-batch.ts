// Parses the request body of a batch of events: decompresses it and splits it into events, readable or not.

import { quote } from "../../campaign/fields/quote.ts";
import { AppError } from "../../errors.ts";
import { checkValueCount, decodeUtf8, gunzip, lineFeed, parseJson } from "../../limits/bounded-json.ts";
import type { IncomingEvent } from "./incoming-event.ts";

export const batchLimits = {
  events: 5_000,
  /** The size of the body as it is sent. */
  maxCompressedBytes: 5 * 1024 * 1024,
  /** The size after decompression. */
  maxDecompressedBytes: 50 * 1024 * 1024,
  /** Members of all lists and objects together. One event has about twenty at most. */
  values: 500_000,
} as const;

export type BatchFormat = "json" | "ndjson";

interface EventBatch {
  events: IncomingEvent[];
  /** Size of the body after decompression. */
  bytes: number;
}

/** @throws AppError `bad_request` if the body is not in this format, `payload_too_large` if it exceeds a limit */
export function parseEventBatch(body: Uint8Array, format: BatchFormat, isGzipped: boolean): EventBatch {
  const bytes = isGzipped ? gunzip(body, batchLimits.maxDecompressedBytes) : body;
  checkValueCount(bytes, batchLimits.values);
  const events = format === "json" ? parseDocument(decodeUtf8(bytes)) : parseLines(bytes);
  if (events.length > batchLimits.events) {
    throw new AppError(
      "payload_too_large",
      `The request has ${events.length} events; a request may have up to ${batchLimits.events}.`,
    );
  }
  return { events, bytes: bytes.length };
}

function parseDocument(text: string): IncomingEvent[] {
  const document = parseJson(
    text,
    "For NDJSON (one event per line), send Content-Type: application/x-ndjson.",
  ) as { events?: unknown } | null;
  const events = document?.events;
  if (Array.isArray(events)) return events.map((input: unknown) => ({ input }));
  let problem = `events: ${events === undefined ? "is missing" : `${quote(events)} is not a list of events`}`;
  if (Array.isArray(document)) problem = "The body is a bare list";
  throw new AppError(
    "bad_request",
    `${problem}; send {"events": [...]}, or NDJSON with Content-Type: application/x-ndjson.`,
  );
}

/** Skips empty lines. */
function parseLines(bytes: Uint8Array): IncomingEvent[] {
  const events: IncomingEvent[] = [];
  for (let start = 0; start < bytes.length; ) {
    const end = bytes.indexOf(lineFeed, start);
    const event = parseEventLine(bytes.subarray(start, end < 0 ? bytes.length : end));
    if (event) events.push(event);
    if (events.length === 1) refuseDocument(events[0]?.input);
    start = end < 0 ? bytes.length : end + 1;
  }
  return events;
}

/** A whole JSON document on one line would pass as one event without a campaign, and all its events would be lost. */
function refuseDocument(input: unknown): void {
  const { events, campaign_id: reference } = (input ?? {}) as { events?: unknown; campaign_id?: unknown };
  if (!Array.isArray(events) || reference !== undefined) return;
  throw new AppError(
    "bad_request",
    "The request body is a single JSON document, not NDJSON; send Content-Type: application/json.",
  );
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** An event, or the reason why the line is unreadable; undefined for an empty line. */
export function parseEventLine(bytes: Uint8Array): IncomingEvent | undefined {
  let text: string;
  try {
    // Concatenated files have a byte order mark on any line; the decoder and trim remove it.
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
