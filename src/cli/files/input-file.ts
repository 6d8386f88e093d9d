// The input of an import: a file, or a pipe, which is first copied to a temporary file.

import { randomUUID } from "node:crypto";
import { type FileHandle, open, stat, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProgressBar } from "../shell/progress-bar.ts";

export interface InputFile {
  name: string;
  /** The content. It can be read once. Throws if the file cannot be opened or read. */
  bytes(bar: ProgressBar): AsyncGenerator<Uint8Array>;
}

/**
 * Opens the input. A pipe is read to its end first: a transaction must not wait for the program that fills the pipe.
 *
 * @param name a path; `-` is standard input
 */
export async function openInput(name: string, stdin: AsyncIterable<Uint8Array>): Promise<InputFile> {
  const stats = name === "-" ? undefined : await stat(name).catch(() => undefined);
  const isPipe = name === "-" || stats?.isFIFO() || stats?.isSocket() || stats?.isCharacterDevice();
  if (!isPipe) return { name, bytes: (bar) => readAndClose(() => open(name), name, bar) };
  const source = name === "-" ? stdin : (await open(name)).createReadStream();
  const handle = await spool(source);
  return { name, bytes: (bar) => readAndClose(async () => handle, name, bar) };
}

/** Copies to a temporary file without a name, which the operating system deletes when the process ends. */
async function spool(source: AsyncIterable<Uint8Array>): Promise<FileHandle> {
  const path = join(tmpdir(), `email-analytics-import-${randomUUID()}`);
  const handle = await open(path, "wx+", 0o600);
  try {
    await unlink(path);
    for await (const chunk of source) await handle.writeFile(chunk);
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
    for await (const chunk of handle.createReadStream({ start: 0, autoClose: false })) {
      read += chunk.length;
      bar.show(size > 0 ? read / size : 0, `${name} ${(read / 1e6).toFixed(1)} MB`);
      yield chunk;
    }
  } finally {
    await handle.close();
  }
}
