// Writes an NDJSON file of any size.

import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";

export async function writeLines(file: string, values: Iterable<unknown>): Promise<void> {
  const stream = createWriteStream(file);
  for (const value of values) {
    if (!stream.write(`${JSON.stringify(value)}\n`)) {
      await new Promise((resolve) => stream.once("drain", resolve));
    }
  }
  stream.end();
  await finished(stream);
}
