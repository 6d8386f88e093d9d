// Downloads that are kept as files for a while, so that a client can read parts of one state by range.

import { createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { LRUCache } from "lru-cache";
import type { DownloadRequest, DownloadState } from "./download.ts";
import type { DownloadThreads } from "./download-threads.ts";

export interface KeptFile {
  path: string;
  bytes: number;
  state: DownloadState;
}

/** Since the last request for the file. A query engine pauses for less between two parts. */
const keptMs = 60_000;
const keptBytes = 512 * 1024 * 1024;

export class KeptFiles {
  readonly #threads: DownloadThreads;
  readonly #files: LRUCache<string, KeptFile>;
  /** Downloads that are being written, by the revision that their caller knows. */
  readonly #writing = new Map<string, Promise<KeptFile>>();
  /** The file that a reader began to read. */
  readonly #begun: LRUCache<string, KeptFile>;
  #folder: Promise<string> | undefined;
  #written = 0;

  constructor(threads: DownloadThreads, maxBytes = keptBytes) {
    this.#threads = threads;
    this.#begun = new LRUCache({ max: 1_000, ttl: keptMs, updateAgeOnGet: true });
    this.#files = new LRUCache({
      ...{ maxSize: maxBytes, ttl: keptMs, updateAgeOnGet: true, ttlAutopurge: true },
      sizeCalculation: ({ bytes }) => Math.max(bytes, 1),
      // Responses that read it have opened it.
      dispose: ({ path }) => void rm(path, { force: true }),
    });
  }

  /**
   * The file of the current state, which a reader begins to read.
   *
   * @param name tells apart the files of one state
   * @param reader who goes on with the same file
   */
  async begin(name: string, revisionId: number, reader: string, request: DownloadRequest): Promise<KeptFile> {
    const key = `${name} ${revisionId}`;
    let file = this.#files.get(key);
    if (!file) {
      let writing = this.#writing.get(key);
      if (!writing) {
        writing = this.#write(name, request).finally(() => this.#writing.delete(key));
        this.#writing.set(key, writing);
      }
      file = await writing;
    }
    this.#begun.set(`${name} ${reader}`, file);
    return file;
  }

  /** The file that a reader began to read, or one of a revision; undefined if it is no longer kept. */
  find(name: string, of: { reader: string } | { revisionId: number }): KeptFile | undefined {
    if ("revisionId" in of) return this.#files.get(`${name} ${of.revisionId}`);
    const begun = this.#begun.get(`${name} ${of.reader}`);
    return begun && this.#files.get(`${name} ${begun.state.revisionId}`);
  }

  async stop(): Promise<void> {
    await Promise.allSettled(this.#writing.values());
    this.#files.clear();
    if (this.#folder) await rm(await this.#folder, { recursive: true, force: true });
  }

  async #write(name: string, request: DownloadRequest): Promise<KeptFile> {
    this.#folder ??= mkdtemp(join(tmpdir(), "email-analytics-"));
    this.#written += 1;
    const path = join(await this.#folder, String(this.#written));
    const { state, body } = await this.#threads.start(request, new AbortController().signal);
    const to = createWriteStream(path, { mode: 0o600 });
    await pipeline(body, to).catch(async (error) => {
      await rm(path, { force: true });
      throw error;
    });
    const file = { path, bytes: to.bytesWritten, state };
    this.#files.set(`${name} ${state.revisionId}`, file);
    return file;
  }
}
