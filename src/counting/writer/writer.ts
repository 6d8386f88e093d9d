// Entry point of the writer thread: queued jobs share one commit, and each is answered once it is on disk.

import { isMainThread, parentPort, workerData } from "node:worker_threads";
import { openDatabase } from "../../storage/open-database.ts";
import type { Database, DatabaseOptions } from "../../storage/queries/database.ts";
import { ScannerNetworks } from "../events/scanner-networks.ts";
import { groupCommit } from "./group-commit.ts";
import { JobQueues } from "./job-queues.ts";
import { captureOutcome, isUnavailable, postResult } from "./job-results.ts";
import type { Job, PreparedJob } from "./jobs.ts";
import { type PrepareOptions, prepareJob } from "./prepare-job.ts";

class Writer {
  readonly #database: Database;
  readonly #queues: JobQueues;
  /** Organizations that a running commit writes. */
  readonly #busy = new Set<number>();
  #commits = 0;
  #isScheduled = false;
  #isStopping = false;

  constructor(database: Database, options: PrepareOptions) {
    this.#database = database;
    this.#queues = new JobQueues((job) => prepareJob(job, options));
  }

  receive(message: { jobId: number; job: Job } | "stop"): void {
    if (message === "stop") this.#isStopping = true;
    else this.#queues.add(message);
    this.#scheduleCommits();
  }

  /**
   * Starts commits once all messages that have arrived are received. SQLite runs a whole commit before the next message is
   * received, so commits would otherwise be in the order of arrival, with one job each.
   */
  #scheduleCommits(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#startCommits();
    });
  }

  /** A database with several writers gets one organization per commit, so that no organization waits for another. */
  #startCommits(): void {
    while (this.#commits < this.#database.maxWriters) {
      const jobs = this.#queues.takeNext(this.#busy, this.#database.isShared);
      if (jobs.size === 0) break;
      const organizations = organizationsOf(jobs);
      for (const each of organizations) this.#busy.add(each);
      this.#commits += 1;
      void this.#commit(jobs).finally(() => {
        this.#commits -= 1;
        for (const each of organizations) this.#busy.delete(each);
        this.#scheduleCommits();
      });
    }
    // SQLite blocks this thread while it commits, so preparing ahead would only delay the commit.
    if (this.#database.isShared) for (const each of this.#busy) this.#queues.prepareAhead(each);
    if (this.#isStopping && this.#commits === 0 && this.#queues.isEmpty) void this.#close();
  }

  async #close(): Promise<void> {
    this.#isStopping = false;
    await this.#database.close();
    parentPort?.close();
  }

  /** Commits the jobs together. If that fails, runs each alone, so that one bad job fails no other. */
  async #commit(jobs: ReadonlyMap<number, PreparedJob>): Promise<void> {
    const all = await this.#run([...jobs.values()]);
    if ("value" in all) {
      for (const [index, jobId] of [...jobs.keys()].entries()) {
        postResult(jobId, { value: all.value[index] });
      }
      return;
    }
    // Each job alone would wait for the same timeout again, and so would the jobs queued behind them.
    if (isUnavailable(all.error)) {
      const behind = this.#queues.clear(this.#database.isShared ? organizationsOf(jobs) : undefined);
      for (const jobId of [...jobs.keys(), ...behind]) postResult(jobId, all);
      return;
    }
    for (const [jobId, job] of jobs) {
      const alone = jobs.size === 1 ? all : await this.#run([job]);
      postResult(jobId, "value" in alone ? { value: alone.value[0] } : alone);
    }
  }

  #run(jobs: readonly PreparedJob[]) {
    const retry = jobs.every(({ isIdempotent }) => isIdempotent) ? "idempotent" : "beforeCommit";
    return captureOutcome(() => this.#database.transaction((queries) => groupCommit(queries, jobs), retry));
  }
}

function organizationsOf(jobs: ReadonlyMap<number, PreparedJob>): Set<number> {
  return new Set([...jobs.values()].map(({ organizationId }) => organizationId));
}

/** What the thread is started with. */
export interface WriterData {
  databaseUrl: string;
  databaseOptions?: DatabaseOptions | undefined;
  /** Limit on the quarantined events of one organization. */
  maxQuarantineBytes: number;
  /** The lines of the operator's file. */
  scannerNetworks?: string | undefined;
}

/** The file to start the thread with. */
export const writerFile = new URL(import.meta.url);

const { writerData } = (workerData ?? {}) as { writerData?: WriterData };
if (!isMainThread && writerData) {
  const { databaseUrl, databaseOptions, maxQuarantineBytes, scannerNetworks } = writerData;
  const networks = new ScannerNetworks(scannerNetworks);
  const writer = new Writer(await openDatabase(databaseUrl, databaseOptions), {
    maxQuarantineBytes,
    networks,
  });
  parentPort?.on("message", (message) => writer.receive(message));
}
