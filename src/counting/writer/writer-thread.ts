// The thread of a serving process that writes what comes in by HTTP, as the main thread sees it: room is taken, work is
// given, and what became of it comes back when it is on disk. Meanwhile the main thread serves.

import { Worker } from "node:worker_threads";
import { AppError } from "../../errors.ts";
import type { JobResult } from "./job-results.ts";
import type { Job, Results } from "./jobs.ts";
import { type WriterData, writerFile } from "./writer.ts";

export interface WriterThread {
  /** Starts the thread before it is needed, so that the first request does not wait for it. */
  start(): void;
  /**
   * Takes room for the body of a job while it comes in; what is being written has room of its own. One organization
   * gets half of the room at most, so that there is always some for the others.
   *
   * @returns what gives the room back, however often it is called
   * @throws Refusal `unavailable` when too much has come in already that is not written yet
   */
  reserve(organizationId: number, bytes: number): () => void;
  /**
   * Writes; when it returns, the change is on disk.
   *
   * @throws Refusal that the work gives
   */
  write<Name extends keyof Results>(job: Job & { work: { name: Name } }): Promise<Results[Name]>;
  stop(): Promise<void>;
}

/** What is not written by then is not acknowledged either. */
const stoppingMsMax = 40_000;

export interface WriterOptions extends WriterData {
  /** Bytes of bodies that may be coming in, or wait to be written. */
  queueBytesMax: number;
}

/** The thread is started with the first thing to write at the latest, and again should it ever end. */
export function startWriterThread(options: WriterOptions): WriterThread {
  const waiting = new Map<number, { giveBack: () => void; settle: (answer: JobResult) => void }>();
  let reserved = 0;
  const ofOrganizations = new Map<number, number>();
  const take = (organizationId: number, bytes: number) => {
    reserved += bytes;
    const ofOne = (ofOrganizations.get(organizationId) ?? 0) + bytes;
    if (ofOne > 0) ofOrganizations.set(organizationId, ofOne);
    else ofOrganizations.delete(organizationId);
  };
  let last = 0;
  let worker: Worker | undefined;
  const settle = (answer: JobResult) => {
    const job = waiting.get(answer.number);
    waiting.delete(answer.number);
    job?.giveBack();
    job?.settle(answer);
  };
  const startThread = () => {
    const { databaseUrl, databaseOptions, quarantineMax } = options;
    const writing: WriterData = { databaseUrl, databaseOptions, quarantineMax };
    const started = new Worker(writerFile, { workerData: { writing } });
    started.on("message", settle);
    let failure = "the writing thread ended";
    started.on("error", (error) => {
      failure = String((error as Error).stack ?? error);
    });
    started.once("exit", () => {
      worker = undefined;
      for (const number of [...waiting.keys()]) settle({ number, failure });
    });
    return started;
  };
  return {
    start() {
      worker ??= startThread();
    },
    reserve(organizationId, bytes) {
      // One that comes alone is taken, however large it may be.
      const ofOne = ofOrganizations.get(organizationId) ?? 0;
      const isFull = reserved > 0 && reserved + bytes > options.queueBytesMax;
      if (isFull || (ofOne > 0 && ofOne + bytes > options.queueBytesMax / 2)) {
        throw new AppError(
          "unavailable",
          "More has come in than could be written yet. Nothing was taken; try again.",
        );
      }
      take(organizationId, bytes);
      return () => {
        take(organizationId, -bytes);
        bytes = 0;
      };
    },
    write(job) {
      worker ??= startThread();
      const number = ++last;
      const { promise, resolve, reject } = Promise.withResolvers<never>();
      const { organizationId, body } = job;
      take(organizationId, body.length);
      waiting.set(number, {
        giveBack: () => take(organizationId, -body.length),
        settle({ result, refusal, failure }) {
          if (refusal) reject(new AppError(refusal.code, refusal.message, refusal.cause));
          else if (failure !== undefined) reject(new Error(failure));
          else resolve(result as never);
        },
      });
      worker.postMessage({ number, job });
      return promise;
    },
    async stop() {
      if (!worker) return;
      const ended = new Promise<void>((resolve) => worker?.once("exit", () => resolve()));
      worker.postMessage("stop");
      const cut = setTimeout(() => worker?.terminate(), stoppingMsMax);
      await ended;
      clearTimeout(cut);
    },
  };
}
