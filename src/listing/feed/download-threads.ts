// Download threads as the main thread sees them: each serves one download at a time, with database connections of its own.

import { Worker } from "node:worker_threads";
import { AppError, fromPostedError, type PostedError, toPostedError } from "../../errors.ts";
import { limitFairly } from "../../limits/limit-fairly.ts";
import { hasSmallMemory } from "../../limits/small-memory.ts";
import {
  type DownloadCommand,
  type DownloadMessage,
  type DownloadRequest,
  type DownloadState,
  type DownloadThreadData,
  downloadFile,
} from "./download.ts";
import { DownloadBody } from "./download-body.ts";

export interface DownloadOptions extends DownloadThreadData {
  /** Downloads at the same time, each in a thread. */
  maxDownloads: number;
  /** A download that takes longer is cut. */
  maxSeconds: number;
  /** A download is also cut if its client takes no piece of it for this long. */
  maxStallMs: number;
}

interface Download {
  state: DownloadState;
  /** Destroy it to cancel the download. It fails if the download is cut. */
  body: DownloadBody;
}

export interface DownloadThreads {
  /**
   * Starts a download when it is the organization's turn.
   *
   * @param signal cancels the download at any time; `start` then throws its reason
   * @throws AppError `unavailable` if the download does not begin soon, or the organization has changed
   */
  start(request: DownloadRequest, signal: AbortSignal): Promise<Download>;
  stop(): Promise<void>;
}

const maxWaiting = 8;
/** Most clients and proxies wait for an answer longer than this. */
const maxWaitMs = 20_000;
/** A thread sees that it is canceled when it has bytes to send. One that still reads by then is terminated. */
const maxCancelMs = 5_000;
/**
 * Without a limit, the young generation grows to 100 MB of records that are long sent, and a thread keeps it while it is
 * idle. A download whose records need more than the old generation fails; the next one gets a new thread. Where there is little
 * memory, a download fails before the system ends the whole process.
 */
const resourceLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: hasSmallMemory() ? 64 : 256 };
const busyMessage = "Other downloads are running. Try again later.";

/** A thread takes some 20 MB. */
const maxIdleMs = 30_000;

/** Threads start with the download that needs them, and then wait a while for the next. */
export function startDownloadThreads({
  maxDownloads,
  maxSeconds,
  maxStallMs,
  ...data
}: DownloadOptions): DownloadThreads {
  const inTurn = limitFairly({
    concurrency: maxDownloads,
    // The last one is for the others: a download may take minutes.
    maxOfCaller: Math.max(maxDownloads - 1, 1),
    maxWaiting,
    fullMessage: busyMessage,
  });
  const threads = new Set<Worker>();
  /** The threads without a download, each with the timer that ends it. */
  const idle = new Map<Worker, NodeJS.Timeout>();
  const startThread = () => {
    const workerData = { downloadThread: data };
    const thread = new Worker(downloadFile, { name: "download", workerData, resourceLimits });
    threads.add(thread);
    thread.once("exit", () => {
      threads.delete(thread);
      clearTimeout(idle.get(thread));
      idle.delete(thread);
    });
    // The download that it serves reports the failure. A thread that fails while it is idle is replaced by the next download.
    thread.on("error", () => undefined);
    thread.unref();
    return thread;
  };
  /** The one that was used last. */
  const takeIdle = () => {
    const [thread, timer] = [...idle].at(-1) ?? [];
    clearTimeout(timer);
    if (thread) idle.delete(thread);
    return thread;
  };
  return {
    async start(request, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<Download>();
      const late = new AbortController();
      const timer = setTimeout(() => late.abort(new AppError("unavailable", busyMessage)), maxWaitMs);
      const giveUp = AbortSignal.any([signal, late.signal]);
      inTurn({ key: String(request.organizationId), isKnown: true, signal: giveUp }, async () => {
        const thread = takeIdle() ?? startThread();
        const limits = { maxSeconds, maxStallMs, signal: giveUp };
        await runDownload(thread, request, { ...limits, started: resolve, failed: reject });
        if (threads.has(thread)) idle.set(thread, setTimeout(() => thread.terminate(), maxIdleMs).unref());
      }).catch(reject);
      return promise.finally(() => clearTimeout(timer));
    },
    async stop() {
      await Promise.all([...threads].map((thread) => thread.terminate()));
    },
  };
}

/** Resolves when the thread is free again, or has ended. */
function runDownload(
  thread: Worker,
  request: DownloadRequest,
  {
    maxSeconds,
    maxStallMs,
    signal,
    started,
    failed,
  }: {
    maxSeconds: number;
    maxStallMs: number;
    signal: AbortSignal;
    started: (download: Download) => void;
    failed: (error: Error) => void;
  },
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isOver = false;
  let cancelTimer: NodeJS.Timeout | undefined;
  // Once the download is over, the thread may serve another one.
  const command = (message: DownloadCommand) => isOver || thread.postMessage(message);
  const body = new DownloadBody({
    maxStallMs,
    taken: () => command("more"),
    closed() {
      command("cancel");
      if (!isOver) cancelTimer = setTimeout(() => thread.terminate(), maxCancelMs);
    },
  });
  // Before the response listens for errors, `failed` reports them.
  body.on("error", () => undefined);
  const fail = (error: Error) => {
    failed(error);
    body.destroy(error);
  };
  const giveUp = () => {
    failed(signal.reason);
    body.destroy();
  };
  signal.addEventListener("abort", giveUp);
  const tooLong = () => fail(new Error(`the download took longer than ${maxSeconds} seconds`));
  const timer = setTimeout(tooLong, maxSeconds * 1000);
  const onMessage = (message: DownloadMessage) => {
    if ("state" in message) started({ state: message.state, body });
    else if ("piece" in message) {
      if (!body.destroyed) body.add(message.piece);
    } else end(message);
  };
  let posted: PostedError = { failure: "the download thread ended" };
  const onError = (error: Error) => {
    posted = toPostedError(error);
  };
  const onExit = () => end({ ended: true, error: posted });
  const end = ({ error }: Extract<DownloadMessage, { ended: true }>) => {
    isOver = true;
    clearTimeout(timer);
    clearTimeout(cancelTimer);
    thread.off("message", onMessage).off("error", onError).off("exit", onExit);
    if (error) fail(fromPostedError(error));
    else body.complete();
    resolve();
  };
  thread.on("message", onMessage).on("error", onError).on("exit", onExit);
  command({ start: request });
  return promise;
}
