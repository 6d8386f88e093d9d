// The writer thread as the main thread sees it: the event loop keeps serving while another thread writes to the database.

import { Worker } from "node:worker_threads";
import { fromPostedError, type PostedError, toPostedError } from "../../errors.ts";
import { stopWorker } from "../stop-worker.ts";
import type { JobResult } from "./job-results.ts";
import type { Job, TaskResults } from "./jobs.ts";
import { QueueSpace } from "./queue-space.ts";
import { type WriterData, writerFile } from "./writer.ts";

export interface WriterThread {
  maxQuarantineBytes: number;
  /** Starts the thread ahead of the first job, so that no request waits for it. */
  start(): void;
  /**
   * Reserves queue space for a request body while it is being received. One organization gets at most half of the
   * queue, so that others can always write. Jobs reserve their own space in {@link write}.
   *
   * @param maxWaitMs limit on how long the oldest batch of the organization has been waiting to be written
   * @returns releases the space; calling it again has no effect
   * @throws AppError `unavailable` if the queue is full, or the wait too long
   */
  reserve(organizationId: number, bytes: number, maxWaitMs?: number): () => void;
  /** The bytes that are reserved, or belong to jobs. */
  queuedBytes(): number;
  /**
   * Runs a job. When it returns, the change is on disk.
   *
   * @throws AppError of the job
   */
  write<Name extends keyof TaskResults>(job: Job & { task: { name: Name } }): Promise<TaskResults[Name]>;
  /** Graceful shutdown: finishes the queued jobs first. */
  stop(): Promise<void>;
}

export interface WriterOptions extends WriterData {
  /** Limit on the bytes of bodies that are being received or wait to be written. */
  maxQueueBytes: number;
}

const maxAttempts = 2;

const isIngest = ({ task }: Job) => task.name.startsWith("ingest_");

/** Time for queued jobs at shutdown. Jobs that are cut off were not acknowledged. */
const shutdownTimeoutMs = 40_000;

interface PendingJob {
  job: Job;
  /** How many threads have got it. */
  attempts: number;
  isSent: boolean;
  settled: PromiseWithResolvers<JobResult>;
}

/**
 * Starts the thread with the first job at the latest, and again if it ends: a job that takes too much memory ends it. The
 * events that waited with that job are then sent to the next thread one by one, so that they do not fail with it.
 */
export function startWriterThread({ maxQueueBytes, ...data }: WriterOptions): WriterThread {
  const space = new QueueSpace(maxQueueBytes);
  const pending = new Map<number, PendingJob>();
  let lastJobId = 0;
  let worker: Worker | undefined;
  const settle = (result: JobResult) => {
    const { settled } = pending.get(result.jobId) ?? {};
    pending.delete(result.jobId);
    settled?.resolve(result);
  };
  const start = () => {
    worker ??= startWorker(data, settle, (error) => {
      worker = undefined;
      for (const [jobId, sent] of pending) {
        sent.isSent = false;
        // Another job may have been committed, and events are counted once.
        const mayRepeat = isIngest(sent.job) && sent.attempts < maxAttempts && !isStopping;
        if (!mayRepeat) settle({ jobId, error });
      }
      void sendLeft();
    });
    return worker;
  };
  const send = (jobId: number, waiting: PendingJob) => {
    waiting.attempts += 1;
    waiting.isSent = true;
    start().postMessage({ jobId, job: waiting.job });
  };
  let isStopping = false;
  let isSendingLeft = false;
  const sendLeft = async () => {
    if (isSendingLeft) return;
    isSendingLeft = true;
    const next = () => [...pending].find(([, { isSent }]) => !isSent);
    for (let left = next(); left; left = next()) {
      send(...left);
      await left[1].settled.promise;
    }
    isSendingLeft = false;
  };
  return {
    maxQuarantineBytes: data.maxQuarantineBytes,
    start,
    reserve(organizationId, bytes, maxWaitMs) {
      space.reserve(organizationId, bytes, maxWaitMs);
      return () => {
        space.add(organizationId, -bytes);
        bytes = 0;
      };
    },
    queuedBytes: () => space.bytes,
    async write(job) {
      const { organizationId, body } = job;
      const jobId = ++lastJobId;
      space.add(organizationId, body.length);
      const noteWritten = isIngest(job) ? space.noteBatch(organizationId) : undefined;
      const settled = Promise.withResolvers<JobResult>();
      const waiting = { job, attempts: 0, isSent: false, settled };
      pending.set(jobId, waiting);
      send(jobId, waiting);
      const result = await settled.promise;
      noteWritten?.();
      space.add(organizationId, -body.length);
      if (result.error) throw fromPostedError(result.error);
      return result.result as never;
    },
    async stop() {
      isStopping = true;
      if (!worker) return;
      const ended = new Promise<void>((resolve) => worker?.once("exit", () => resolve()));
      await stopWorker(worker, ended, shutdownTimeoutMs);
    },
  };
}

function startWorker(
  { databaseUrl, databaseOptions, maxQuarantineBytes, scannerNetworks }: WriterData,
  onResult: (result: JobResult) => void,
  onExit: (error: PostedError) => void,
): Worker {
  const writerData: WriterData = { databaseUrl, databaseOptions, maxQuarantineBytes, scannerNetworks };
  const worker = new Worker(writerFile, { workerData: { writerData } });
  worker.on("message", onResult);
  let posted: PostedError = { failure: "the writer thread ended" };
  worker.on("error", (error) => {
    posted = toPostedError(error);
  });
  worker.once("exit", () => onExit(posted));
  return worker;
}
