// Reads the events of an NDJSON file as a stream, each with its line; what cannot be read is an entry as well.

import { readEventLine } from "../../counting/events/event-batch.ts";
import type { IncomingEvent } from "../../counting/events/incoming-event.ts";
import { AppError } from "../../errors.ts";
import { largestRecordLength } from "./file-entry.ts";

export interface EventLine {
  /** From 1. */
  line: number;
  /** Bytes of the line. */
  length: number;
  entry: IncomingEvent;
}

const lineFeed = 10;

/** As many at a time as a piece of the file holds. Empty lines are none. */
export async function* readEventLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<EventLine[]> {
  const lines = new Lines();
  let isFirst = true;
  for await (const piece of pieces) {
    if (isFirst && piece[0] === 0x1f && piece[1] === 0x8b) {
      throw new AppError(
        "conflict",
        "the file is packed by gzip; unpack it on the way: gunzip -c FILE | … import --events -",
      );
    }
    isFirst = false;
    yield lines.take(Buffer.from(piece.buffer, piece.byteOffset, piece.length));
  }
  yield lines.end();
}

class Lines {
  /** The beginning of a line whose end has not come yet. */
  #rest: Buffer[] = [];
  #restLength = 0;
  #number = 0;

  take(piece: Buffer): EventLine[] {
    const found: EventLine[] = [];
    let start = 0;
    for (let end = piece.indexOf(lineFeed); end >= 0; end = piece.indexOf(lineFeed, start)) {
      this.#keep(piece.subarray(start, end));
      this.#endLine(found);
      start = end + 1;
    }
    this.#keep(piece.subarray(start));
    return found;
  }

  end(): EventLine[] {
    const found: EventLine[] = [];
    this.#endLine(found);
    return found;
  }

  /** A line without an end would fill the memory; of one that is too long, only that is remembered. */
  #keep(part: Buffer): void {
    this.#restLength += part.length;
    if (this.#restLength > largestRecordLength) this.#rest = [];
    else if (part.length > 0) this.#rest.push(part);
  }

  #endLine(found: EventLine[]): void {
    const [bytes, length] = [Buffer.concat(this.#rest), this.#restLength];
    this.#rest = [];
    this.#restLength = 0;
    this.#number += 1;
    const entry = length > largestRecordLength ? tooLong : readEventLine(bytes);
    if (entry) found.push({ line: this.#number, length, entry });
  }
}

const tooLong: IncomingEvent = {
  input: undefined,
  unreadable: `is longer than ${largestRecordLength} bytes`,
};
