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
  const lines = new Lines();
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst && isGzip(chunk)) {
      throw new AppError(
        "conflict",
        "the file is compressed with gzip; decompress it: gunzip -c FILE | email-analytics import --events -",
      );
    }
    isFirst = false;
    yield lines.take(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length));
  }
  yield lines.end();
}

class Lines {
  /** The start of a line whose end has not been read yet. */
  #rest: Buffer[] = [];
  #restLength = 0;
  #number = 0;

  take(chunk: Buffer): EventLine[] {
    const lines: EventLine[] = [];
    let start = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      this.#keep(chunk.subarray(start, end));
      this.#endLine(lines);
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
    return lines;
  }

  end(): EventLine[] {
    const lines: EventLine[] = [];
    this.#endLine(lines);
    return lines;
  }

  /** Keeps only the length of a line that is too long: a file without line breaks would fill the memory. */
  #keep(part: Buffer): void {
    this.#restLength += part.length;
    if (this.#restLength > largestRecordLength) this.#rest = [];
    else if (part.length > 0) this.#rest.push(part);
  }

  #endLine(found: EventLine[]): void {
    const [first = Buffer.alloc(0), ...more] = this.#rest;
    const bytes = more.length === 0 ? first : Buffer.concat(this.#rest);
    const length = this.#restLength;
    this.#rest = [];
    this.#restLength = 0;
    this.#number += 1;
    const entry = length > largestRecordLength ? tooLong : parseEventLine(bytes);
    if (entry) found.push({ line: this.#number, length, entry });
  }
}

const tooLong: IncomingEvent = {
  input: undefined,
  unreadable: `is longer than ${largestRecordLength} bytes`,
};
