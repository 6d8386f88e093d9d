// Reader threads: what ends them, and that only their own file fails.

import assert from "node:assert/strict";
import { channel } from "node:diagnostics_channel";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { platform } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { gzipSync } from "node:zlib";
import {
  type ReadFile,
  readerLimits,
  startFileReaders,
  TooCostlyFile,
} from "../../../src/counting/import/file-readers.ts";
import { compressPiece } from "../../../src/counting/import/pieces.ts";
import type { PreparedFile } from "../../../src/counting/import/prepare-campaigns.ts";
import { AppError } from "../../../src/errors.ts";
import { chunksOf } from "../../../src/http/request/chunks-of.ts";
import "../../support/program.ts";

const csv = "id,subject,sent_at\n1,One,2024-01-01\n";
const campaigns = { name: "campaigns", choices: "", timeZone: "UTC", saved: new Map() } as const;

async function* piecesOf(content: string, count = 1): AsyncGenerator<Uint8Array> {
  for (let piece = 0; piece < count; piece++) yield await compressPiece(Buffer.from(content));
}

/** Never ends. */
async function* waiting(): AsyncGenerator<Uint8Array> {
  yield* piecesOf(csv);
  await new Promise(() => undefined);
}

interface ReadOptions {
  bytes?: AsyncIterable<Uint8Array>;
  organizationId?: number;
  signal?: AbortSignal;
}

async function read(readFile: ReadFile, options: ReadOptions = {}): Promise<PreparedFile | undefined> {
  const { bytes = piecesOf(csv), organizationId = 1, signal = new AbortController().signal } = options;
  for await (const part of readFile(campaigns, { bytes, organizationId, signal })) {
    if ("file" in part) return part.file;
  }
  return undefined;
}

/** The threads that start while something runs. */
async function threadsOf(run: () => Promise<unknown>): Promise<Worker[]> {
  const threads: Worker[] = [];
  const add = (message: unknown) => threads.push((message as { worker: Worker }).worker);
  channel("worker_threads").subscribe(add);
  await run();
  channel("worker_threads").unsubscribe(add);
  return threads;
}

const ended = (thread: Worker) => (thread.threadId === -1 ? undefined : once(thread, "exit"));

test("a file that takes too much time or memory is a bad request, and the next one is read", async (t) => {
  const readFile = startFileReaders();
  for (const limit of [
    () => t.mock.property(readerLimits, "ms", 0),
    () => t.mock.property(readerLimits, "heap", { maxOldGenerationSizeMb: 4, maxYoungGenerationSizeMb: 1 }),
  ]) {
    const { mock } = limit();
    for (let attempt = 0; attempt < 2; attempt++) {
      await assert.rejects(read(readFile), (error) => error instanceof TooCostlyFile);
    }
    mock.restore();
    assert.equal((await read(readFile))?.first[0]?.campaign.subject, "One");
  }
});

/** The threads of this process that let others go first. */
function threadsInBackground(): string[] {
  const tasks = "/proc/self/task";
  return readdirSync(tasks).filter((id) => {
    const stat = readFileSync(join(tasks, id, "stat"), "utf8");
    // The name, in parentheses, can contain spaces. The 19th field is the nice value.
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]) > 0;
  });
}

test("a thread that reads a file lets the other threads go first", {
  skip: platform() !== "linux",
}, async () => {
  const before = threadsInBackground();
  const { promise: isRead, resolve } = Promise.withResolvers<void>();
  async function* late() {
    resolve();
    yield* waiting();
  }
  const client = new AbortController();
  const reading = read(startFileReaders(), { bytes: late(), signal: client.signal });
  await isRead;
  const threads = threadsInBackground().filter((id) => !before.includes(id));
  client.abort();
  await assert.rejects(reading, { name: "AbortError" });
  assert.equal(threads.length, 1);
  assert.notEqual(threads[0], String(process.pid));
});

test("a thread ends with its request, with its file, and when the service stops", async () => {
  const shutdown = new AbortController();
  const readFile = startFileReaders(shutdown.signal);
  const client = new AbortController();
  const threads = await threadsOf(async () => {
    const first = read(readFile, { bytes: waiting(), signal: client.signal });
    // One file at a time is read for an organization.
    const second = read(readFile);
    const other = read(readFile, { organizationId: 2 });
    assert.equal((await other)?.errorCount, 0);
    client.abort();
    await assert.rejects(first, { name: "AbortError" });
    assert.equal((await second)?.errorCount, 0);
    const { promise: isRead, resolve } = Promise.withResolvers<void>();
    async function* late() {
      resolve();
      yield* waiting();
    }
    const last = [read(readFile, { bytes: late() }), read(readFile, { bytes: waiting() })];
    await isRead;
    shutdown.abort();
    await Promise.all(last.map((each) => assert.rejects(each, { name: "AbortError" })));
  });
  assert.equal(threads.length, 4);
  await Promise.all(threads.map(ended));
});

test("an error of the file's source, and one of a list, reach the caller", async () => {
  const readFile = startFileReaders();
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield* piecesOf(csv);
    throw new AppError("unavailable");
  }
  await assert.rejects(read(readFile, { bytes: failing() }), { code: "unavailable" });
  async function* list() {
    yield Buffer.from(`recipient${",".repeat(2_000)}\n`);
  }
  const task = { name: "list", columns: { recipient: "recipient" } } as const;
  const source = { bytes: list(), organizationId: 1, signal: new AbortController().signal };
  await assert.rejects(readFile(task, source).next(), {
    code: "bad_request",
    message: "line 1: has more than 1000 columns; the rest of the file was not read.",
  });
});

test("a list arrives whole, also while its rows are taken slowly", async () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `person.${index}@example.com,Berlin`);
  const file = Buffer.from(`recipient,Site\n${lines.join("\n")}\n`);
  const pieces = (size: number) =>
    (async function* cut() {
      for (let from = 0; from < file.length; from += size) yield file.subarray(from, from + size);
    })();
  const source = { organizationId: 1, signal: new AbortController().signal };
  const zipped = gzipSync(file);
  for (const [task, bytes] of [
    [{ name: "list", columns: { recipient: "recipient" } }, pieces(4_096)],
    [{ name: "sent_list", format: "csv", isGzipped: false }, pieces(50_000)],
    [{ name: "sent_list", format: "csv", isGzipped: true }, chunksOf(zipped)],
  ] as const) {
    const recipients: string[] = [];
    for await (const rows of startFileReaders()(task, { ...source, bytes })) {
      recipients.push(...rows.map(({ recipient }) => recipient));
      await nextTurn();
    }
    assert.equal(recipients.join(), lines.map((line) => line.split(",", 1)[0]).join(), task.name);
  }
});
