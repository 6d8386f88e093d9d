// Where the bytes of an import come from: a file, or a pipe, which is made a file first.

import { randomUUID } from "node:crypto";
import { type FileHandle, open, stat, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProgressBar } from "../progress-bar.ts";

export interface InputFile {
  name: string;
  /** The content, once. A file that cannot be opened or read is an error here, where its records were to come. */
  bytes(bar: ProgressBar): AsyncGenerator<Uint8Array>;
}

/**
 * A pipe is read to its end at once, so that nobody who writes has to wait for whoever fills it.
 *
 * @param name a path; `-` is standard input
 */
export async function openInput(name: string, stdin: AsyncIterable<Uint8Array>): Promise<InputFile> {
  const found = name === "-" ? undefined : await stat(name).catch(() => undefined);
  const isPipe = name === "-" || found?.isFIFO() || found?.isSocket() || found?.isCharacterDevice();
  if (!isPipe) return { name, bytes: (bar) => readAndClose(() => open(name), name, bar) };
  const source = name === "-" ? stdin : (await open(name)).createReadStream();
  const handle = await spool(source);
  return { name, bytes: (bar) => readAndClose(async () => handle, name, bar) };
}

/** In the folder for temporary files, under no name: it is gone with this process, however that ends. */
async function spool(source: AsyncIterable<Uint8Array>): Promise<FileHandle> {
  const path = join(tmpdir(), `email-analytics-import-${randomUUID()}`);
  const handle = await open(path, "wx+", 0o600);
  try {
    await unlink(path);
    for await (const piece of source) await handle.writeFile(piece);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function* readAndClose(
  opened: () => Promise<FileHandle>,
  name: string,
  bar: ProgressBar,
): AsyncGenerator<Uint8Array> {
  const handle = await opened();
  try {
    const { size } = await handle.stat();
    let read = 0;
    for await (const piece of handle.createReadStream({ start: 0, autoClose: false })) {
      read += piece.length;
      bar.show(size ? read / size : undefined, `${name} ${(read / 1e6).toFixed(1)} MB`);
      yield piece;
    }
  } finally {
    await handle.close();
  }
}
