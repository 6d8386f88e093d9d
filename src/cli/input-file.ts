// Where the bytes of an import come from: a file, or standard input, which is made one.

import { createWriteStream } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { ProgressBar } from "./progress-bar.ts";

/** Standard input as a file of its own: nobody who writes has to wait for whoever fills a pipe. */
export async function spool(
  stdin: AsyncIterable<Uint8Array>,
): Promise<{ path: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "email-analytics-import-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  const path = join(folder, "stdin");
  try {
    await pipeline(stdin, createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, remove };
}

/** A file that cannot be opened or read is an error here, at the place where its records were to come. */
export async function* readBytes(path: string, name: string, bar: ProgressBar): AsyncGenerator<Uint8Array> {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    let read = 0;
    for await (const piece of handle.createReadStream({ autoClose: false })) {
      read += piece.length;
      bar.show(size ? read / size : undefined, `${name} ${(read / 1e6).toFixed(1)} MB`);
      yield piece;
    }
  } finally {
    await handle.close();
  }
}
