// Downloads that are kept as files for a while, so that a client can read parts of one state by range. The processes of a
// machine share their folder, because a proxy may send each part to another process.

import { hash, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { link, lstat, mkdir, open, readdir, rm, utimes } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { AppError } from "../../errors.ts";
import type { DownloadRequest, DownloadState } from "./download.ts";
import type { DownloadThreads } from "./download-threads.ts";

export interface KeptFile {
  path: string;
  /** The size without the head. */
  bytes: number;
  state: DownloadState;
  /** When its state was read, in milliseconds since 1970. */
  readAt: number;
  /** When its reader last asked for it: its time of change. */
  askedAt: number;
}

/** A file begins with state and time as JSON, filled up with spaces. */
export const keptHeadBytes = 1024;

/** Since the last request for the file. A query engine pauses for less between two parts. */
const keptMs = 60_000;
/** Readers with the same key and program look alike. While one may be reading, others begin with the same file. */
const busyMs = 10_000;
/** If it is older, they wait until none is reading. */
const maxAgeMs = 60_000;
const maxWaitMs = 20_000;
const pollMs = 250;
const keptBytes = 512 * 1024 * 1024;

/** The number of digits at the end of the name of a reader's file. */
const numberLength = 10;

const busyMessage =
  "Other readers with the same key and user agent read an older state without a pause. Try again later, or use another key.";

export class KeptFiles {
  readonly #threads: DownloadThreads;
  readonly #folder = join(tmpdir(), `email-analytics-ranges-${userInfo().uid}`);
  readonly #beginning = new Map<string, Promise<KeptFile>>();
  readonly #timer: NodeJS.Timeout;

  constructor(threads: DownloadThreads) {
    this.#threads = threads;
    // The next reader reports a folder that cannot be used.
    const sweep = () => void this.#sweep().catch(() => undefined);
    this.#timer = setInterval(sweep, keptMs).unref();
    // A process that was killed has left its files.
    sweep();
  }

  /**
   * The file that a reader begins to read: of the current state, or the one that it is reading.
   *
   * @param reader different for any two files of one state
   * @throws AppError `unavailable` if it does not stop reading an old one
   */
  begin(reader: string, revisionId: number, request: DownloadRequest): Promise<KeptFile> {
    const beginning =
      this.#beginning.get(reader) ??
      this.#begin(reader, revisionId, request).finally(() => this.#beginning.delete(reader));
    this.#beginning.set(reader, beginning);
    return beginning;
  }

  /** The newest file that a reader began to read; undefined if it is no longer kept. */
  async find(reader: string, isWanted = (_state: DownloadState) => true): Promise<KeptFile | undefined> {
    for (const path of await this.#pathsOf(reader)) {
      const file = await readHead(path);
      if (file && isWanted(file.state)) return noteRequest(file);
    }
    return undefined;
  }

  /** Leaves what readers may be reading from other processes. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.allSettled(this.#beginning.values());
    await this.#sweep(busyMs);
  }

  async #begin(reader: string, revisionId: number, request: DownloadRequest): Promise<KeptFile> {
    const waitUntil = Date.now() + maxWaitMs;
    let written: string | undefined;
    try {
      for (;;) {
        const [newest = this.#pathOf(reader, 0)] = await this.#pathsOf(reader);
        const file = await readHead(newest);
        const now = Date.now();
        const isCurrent = file?.state.revisionId === revisionId;
        if (file && file.askedAt > now - busyMs) {
          if (isCurrent || file.readAt > now - maxAgeMs) return await noteRequest(file);
          if (now > waitUntil) throw new AppError("unavailable", busyMessage);
          await pause(pollMs);
        } else if (isCurrent || written) {
          // One of the processes that begin together makes the next file. The others then begin with it.
          const path = this.#pathOf(reader, Number(newest.slice(-numberLength)) + 1);
          const source = written ?? newest;
          const made = await ifPossible(link(source, path).then(() => readHead(path)));
          if (made) await rm(source, { force: true });
          if (made) return await noteRequest(made);
        } else written = await this.#write(request);
      }
    } finally {
      if (written) await rm(written, { force: true });
    }
  }

  #pathOf(reader: string, number: number): string {
    return join(this.#folder, hash("sha256", reader) + String(number).padStart(numberLength, "0"));
  }

  async #names(): Promise<string[]> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = await lstat(this.#folder);
    // Others could read or replace the files.
    if (uid !== userInfo().uid || (mode & 0o777) !== 0o700) {
      throw new Error(`${this.#folder} has another owner, or another mode than 700`);
    }
    return readdir(this.#folder);
  }

  /** Returns the paths of a reader's files, newest first. */
  async #pathsOf(reader: string): Promise<string[]> {
    const paths = (await this.#names()).map((name) => join(this.#folder, name));
    const prefix = this.#pathOf(reader, 0).slice(0, -numberLength);
    return paths
      .filter((path) => path.startsWith(prefix))
      .sort()
      .reverse();
  }

  async #write(request: DownloadRequest): Promise<string> {
    const { state, body } = await this.#threads.start(request, new AbortController().signal);
    await this.#sweep();
    const path = join(this.#folder, randomUUID());
    try {
      const to = createWriteStream(path, { mode: 0o600 });
      to.write(JSON.stringify({ state, readAt: Date.now() }).padEnd(keptHeadBytes));
      await pipeline(body, to);
      return path;
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }

  /** Removes what was not asked for in this time, and what was asked for longest ago if all is too large. */
  async #sweep(ms = keptMs): Promise<void> {
    const files = await Promise.all(
      (await this.#names()).map(async (name) => {
        const path = join(this.#folder, name);
        const { size = 0, mtimeMs = 0 } = (await ifPossible(lstat(path))) ?? {};
        return { path, size, mtimeMs };
      }),
    );
    let bytes = 0;
    for (const { path, size, mtimeMs } of files.toSorted((a, b) => b.mtimeMs - a.mtimeMs)) {
      bytes += size;
      // Responses that read it have opened it.
      if (mtimeMs < Date.now() - ms || bytes > keptBytes) await rm(path, { force: true });
    }
  }
}

/** Undefined if another process has removed the file, or made it before. */
function ifPossible<Result>(access: Promise<Result>): Promise<Result | undefined> {
  return access.catch((error) => {
    if (error.code === "ENOENT" || error.code === "EEXIST") return undefined;
    throw error;
  });
}

async function readHead(path: string): Promise<KeptFile | undefined> {
  const handle = await ifPossible(open(path));
  if (!handle) return undefined;
  try {
    const { size, mtimeMs: askedAt } = await handle.stat();
    const { buffer } = await handle.read(Buffer.alloc(keptHeadBytes));
    return { ...JSON.parse(buffer.toString()), path, bytes: size - keptHeadBytes, askedAt };
  } finally {
    await handle.close();
  }
}

async function noteRequest(file: KeptFile): Promise<KeptFile> {
  await ifPossible(utimes(file.path, new Date(), new Date()));
  return file;
}
