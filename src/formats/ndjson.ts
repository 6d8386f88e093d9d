// Writes NDJSON: one JSON object a line.

import type { FeedRow, FeedTable } from "../campaign/feed/feed-tables.ts";

export async function* encodeNdjson(
  _table: FeedTable,
  batches: AsyncIterable<readonly FeedRow[]>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  for await (const rows of batches) {
    yield encoder.encode(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  }
}
