// Decompresses gzip piece by piece, up to a limit.

import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { invalidGzip, tooLargeUnzipped } from "./bounded-json.ts";

/** @throws AppError as `gunzip` */
export async function* unzip(bytes: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  const source = Readable.from(bytes);
  const unzipped = source.pipe(createGunzip());
  source.once("error", (error) => unzipped.destroy(error));
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
