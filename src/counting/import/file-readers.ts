// Reader threads as the main thread sees them. A user may upload a file that exhausts what reads it, so each file has a
// thread of its own with a bounded heap and time.

import { Worker } from "node:worker_threads";
import { AppError, type ErrorCode, errors } from "../../errors.ts";
import { limitFairly } from "../../limits/limit-fairly.ts";
import { type ReaderMessage, type ReaderParts, type ReaderTask, readerFile } from "./reader-thread.ts";

/**
 * Reads a file in a thread, when it is the organization's turn. The thread ends with the generator.
 *
 * @throws TooCostlyFile; AppError `unavailable` if too many files are being read; the reason of the signal
 */
export type ReadFile = <Task extends ReaderTask>(
  task: Task,
  source: { bytes: AsyncIterable<Uint8Array>; organizationId: number; signal: AbortSignal },
) => AsyncGenerator<ReaderParts[Task["name"]]>;

/**
 * A file within the limits of its format stays below. V8 ends the whole process if a single allocation does not fit into
 * the 16 MB that Node adds when a thread is to end, so those limits keep each one smaller.
 */
export const readerLimits = {
  heap: { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 8 },
  /**
   * The longest time that a thread works, without its waits for bytes and for what becomes of the parts. It
   * is shorter than connections may be silent.
   */
  ms: 60_000,
};
const maxWaitMs = 20_000;

/** A file whose reading takes too much memory or time. */
export class TooCostlyFile extends AppError {
  constructor() {
    super("bad_request", "Reading the file takes too much time or memory. Divide it, or remove columns.");
  }
}

/** @param shutdown ends all threads */
export function startFileReaders(shutdown?: AbortSignal): ReadFile {
  const inTurn = limitFairly({
    concurrency: 2,
    maxOfCaller: 1,
    maxWaiting: 10,
    fullMessage: "Too many files are being read. Try again in a moment.",
  });
  return async function* read(task, { bytes, organizationId, signal: requested }) {
    const signal = AbortSignal.any([requested, ...(shutdown ? [shutdown] : [])]);
    const { promise: isDone, resolve: release } = Promise.withResolvers<void>();
    await new Promise<void>((start, refuse) => {
      const caller = { key: String(organizationId), isKnown: true, maxWaitMs, signal };
      inTurn(caller, () => {
        start();
        return isDone;
      }).catch(refuse);
    });
    try {
      signal.throwIfAborted();
      yield* readInThread(task, { bytes, signal }) as AsyncGenerator<never>;
    } finally {
      release();
    }
  };
}

async function* readInThread(
  task: ReaderTask,
  { bytes, signal }: { bytes: AsyncIterable<Uint8Array>; signal: AbortSignal },
): AsyncGenerator<ReaderParts[ReaderTask["name"]]> {
  const thread = new Worker(readerFile, {
    name: "reader",
    workerData: { readerTask: task },
    resourceLimits: readerLimits.heap,
  });
  const { promise: isOver, resolve: end, reject: fail } = Promise.withResolvers<undefined>();
  isOver.catch(() => undefined);
  thread.on("error", (error) => fail(toAppError(error)));
  thread.on("exit", (code) => (code === 0 ? end(undefined) : fail(new Error("the reader thread was ended"))));
  const abort = () => fail(signal.reason);
  signal.addEventListener("abort", abort);
  const chunks = bytes[Symbol.asyncIterator]();
  let msLeft = readerLimits.ms;
  const receive = async (): Promise<ReaderMessage | undefined> => {
    const startedAt = performance.now();
    const timer = setTimeout(() => fail(new TooCostlyFile()), msLeft);
    const message = new Promise<ReaderMessage>((resolve) => thread.once("message", resolve));
    try {
      return await Promise.race([isOver, message]);
    } finally {
      clearTimeout(timer);
      msLeft -= performance.now() - startedAt;
    }
  };
  try {
    for (let message = await receive(); message; message = await receive()) {
      const next = message.part ? undefined : await Promise.race([isOver, chunks.next()]);
      if (message.part) yield message.part;
      // A copy, because the message would have the whole memory of which the chunk may be a part.
      thread.postMessage(next?.value && new Uint8Array(next.value));
    }
  } finally {
    signal.removeEventListener("abort", abort);
    await thread.terminate();
  }
}

/** Range errors are those of the stack, and of texts and lists that are too long. */
function toAppError(error: unknown): unknown {
  const { code = "", message } = error as { code?: string; message: string };
  if (error instanceof RangeError || code === "ERR_WORKER_OUT_OF_MEMORY") return new TooCostlyFile();
  // An error from another thread has no class of ours.
  return code in errors ? new AppError(code as ErrorCode, message) : error;
}
