// Reads the events of an NDJSON file as a stream, with their line numbers. An unreadable line is an entry as well.

import { parseEventLine } from "../../counting/events/event-batch.ts";
import type { IncomingEvent } from "../../counting/events/incoming-event.ts";
import { isGzip, largestRecordLength } from "../../counting/import/mapping/file-entry.ts";
import { AppError } from "../../errors.ts";
import { lineFeed } from "../../limits/bounded-json.ts";

export interface EventLine {
  /** The number of the line, from 1. */
  line: number;
  /** The length in bytes. */
  length: number;
  entry: IncomingEvent;
}

/** Yields the events of each chunk together. Skips empty lines. */
export async function* readEventLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<EventLine[]> {
  let line = 0;
  /** The start of a line whose end has not been read yet. */
  let rest: Uint8Array[] = [];
  let length = 0;
  const keep = (part: Uint8Array) => {
    length += part.length;
    // Only the length of a line that is too long: a file without line breaks would fill the memory.
    if (length > largestRecordLength) rest = [];
    else rest.push(part);
  };
  const endLine = (): EventLine[] => {
    const entry = length > largestRecordLength ? tooLong : parseEventLine(Buffer.concat(rest));
    line += 1;
    const lines = entry ? [{ line, length, entry }] : [];
    rest = [];
    length = 0;
    return lines;
  };
  for await (const chunk of chunks) {
    if (line + length === 0 && isGzip(chunk)) {
      throw new AppError(
        "conflict",
        "the file is compressed with gzip; decompress it: gunzip -c FILE | email-analytics import --events -",
      );
    }
    const lines: EventLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      keep(chunk.subarray(start, end));
      lines.push(...endLine());
      start = end + 1;
    }
    keep(chunk.subarray(start));
    yield lines;
  }
  yield endLine();
}

const tooLong: IncomingEvent = {
  input: undefined,
  unreadable: `is longer than ${largestRecordLength} bytes`,
};
