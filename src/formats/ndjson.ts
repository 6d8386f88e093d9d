// Writes NDJSON: one JSON object a line.

import type { FeedRecord } from "../campaign/feed/feed-fields.ts";

export async function* encodeNdjson(
  batches: AsyncIterable<readonly FeedRecord[]>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  for await (const records of batches) {
    yield encoder.encode(records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  }
}
