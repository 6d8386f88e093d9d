// Decompresses gzip piece by piece, up to a limit.

import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { invalidGzip, tooLargeUnzipped } from "./bounded-json.ts";

/** @throws AppError as `gunzip` */
export async function* unzip(bytes: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  // An error of the source reaches the loop below, and the end of the loop ends the source.
  const unzipped = pipeline(Readable.from(bytes), createGunzip(), () => undefined);
  let length = 0;
  try {
    for await (const chunk of unzipped as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxBytes) throw tooLargeUnzipped(maxBytes);
      yield chunk;
    }
  } catch (error) {
    throw (error as { code?: string }).code?.startsWith("Z_") ? invalidGzip() : error;
  }
}
