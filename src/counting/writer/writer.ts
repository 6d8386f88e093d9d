// Writes what comes in by HTTP, within a thread of its own: all that waits at the same time shares one commit, and each
// is answered when that is on disk.

import { isMainThread, parentPort, workerData } from "node:worker_threads";
import type { Database, DatabaseOptions } from "../../storage/database.ts";
import { openDatabase } from "../../storage/open-database.ts";
import { groupCommit } from "./group-commit.ts";
import { isUnavailable, postResult, settled } from "./job-results.ts";
import type { Job, PreparedJob, Result } from "./jobs.ts";
import { prepareJob } from "./prepare-job.ts";

/** One commit takes no more jobs, nor another one beyond so many unpacked bytes: it bounds waiting, and memory. */
const jobsPerCommit = 64;
const bytesPerCommit = 1024 * 1024;

/** A job of an organization, in the order of its arrival. */
interface QueuedJob {
  number: number;
  job: Job;
  /** Once it was read. */
  read?: { work: PreparedJob } | { error: unknown };
}

/** The other side, within the thread. */
class Writer {
  readonly #database: Database;
  readonly #quarantineMax: number;
  /** Of each organization that has any, in the order of their turns. */
  readonly #queues = new Map<number, QueuedJob[]>();
  /** Organizations of which something is being written. */
  readonly #underWay = new Set<number>();
  #commits = 0;
  #isStopping = false;

  constructor(database: Database, quarantineMax: number) {
    this.#database = database;
    this.#quarantineMax = quarantineMax;
  }

  take(message: { number: number; job: Job } | "stop"): void {
    if (message === "stop") this.#isStopping = true;
    else {
      const { organizationId } = message.job;
      const queue = this.#queues.get(organizationId) ?? [];
      queue.push({ ...message });
      this.#queues.set(organizationId, queue);
    }
    this.#writeAll();
  }

  /** Where several can write at once, each commit is of one organization, so that none waits for another. */
  #writeAll(): void {
    while (this.#commits < this.#database.writersMax) {
      const works = this.#nextWorks();
      if (works.size === 0) break;
      const organizations = new Set([...works.values()].map(({ organizationId }) => organizationId));
      for (const each of organizations) this.#underWay.add(each);
      this.#commits += 1;
      void this.#write(works).finally(() => {
        this.#commits -= 1;
        for (const each of organizations) this.#underWay.delete(each);
        // Whatever came in meanwhile is taken before the next commit begins.
        setImmediate(() => this.#writeAll());
      });
    }
    for (const organizationId of this.#underWay) this.#readAhead(organizationId);
    if (this.#isStopping && this.#commits === 0 && this.#queues.size === 0) void this.#close();
  }

  async #close(): Promise<void> {
    this.#isStopping = false;
    await this.#database.close();
    parentPort?.close();
  }

  /** What goes into one commit: of all organizations, or of the one whose turn it is. What cannot be read is answered. */
  #nextWorks(): Map<number, PreparedJob> {
    const works = new Map<number, PreparedJob>();
    let bytes = 0;
    const isFull = () => works.size >= jobsPerCommit || bytes >= bytesPerCommit;
    for (const [organizationId, queue] of [...this.#queues]) {
      if (this.#underWay.has(organizationId)) continue;
      // Whoever has had a turn goes to the end.
      this.#queues.delete(organizationId);
      while (queue.length > 0 && !isFull()) {
        const waiting = queue.shift() as QueuedJob;
        const read = this.#read(waiting);
        if ("error" in read) postResult(waiting.number, read);
        else {
          works.set(waiting.number, read.work);
          bytes += read.work.bytes;
        }
      }
      if (queue.length > 0) this.#queues.set(organizationId, queue);
      if (isFull() || (this.#database.isShared && works.size > 0)) break;
    }
    return works;
  }

  /** While a commit is under way there is time to read what goes into the next one. */
  #readAhead(organizationId: number): void {
    let bytes = 0;
    for (const waiting of (this.#queues.get(organizationId) ?? []).slice(0, jobsPerCommit)) {
      if (bytes >= bytesPerCommit) return;
      const read = this.#read(waiting);
      if ("work" in read) bytes += read.work.bytes;
    }
  }

  #read(waiting: QueuedJob): NonNullable<QueuedJob["read"]> {
    if (waiting.read) return waiting.read;
    try {
      waiting.read = { work: prepareJob(waiting.job, this.#quarantineMax) };
    } catch (error) {
      waiting.read = { error };
    }
    return waiting.read;
  }

  /** One commit for all of them. Should it fail, each is tried alone, so that none fails for another. */
  async #write(works: ReadonlyMap<number, PreparedJob>): Promise<void> {
    const all = await this.#writeSome([...works.values()]);
    if ("value" in all) {
      for (const [place, number] of [...works.keys()].entries())
        postResult(number, { value: all.value[place] as Result });
      return;
    }
    // Each alone would wait as long again, and so would all that wait for the same.
    if (isUnavailable(all.error)) {
      for (const number of [...works.keys(), ...this.#takeBehind(works)]) postResult(number, all);
      return;
    }
    for (const [number, work] of works) {
      const alone = works.size === 1 ? all : await this.#writeSome([work]);
      postResult(number, "value" in alone ? { value: alone.value[0] as Result } : alone);
    }
  }

  #writeSome(works: readonly PreparedJob[]) {
    const retry = works.some(({ isOnce }) => isOnce) ? "beforeCommit" : "idempotent";
    return settled(() => this.#database.transaction((queries) => groupCommit(queries, works), retry));
  }

  /** What would be written next where these were written. */
  #takeBehind(works: ReadonlyMap<number, PreparedJob>): number[] {
    const organizations = this.#database.isShared
      ? new Set([...works.values()].map(({ organizationId }) => organizationId))
      : [...this.#queues.keys()];
    return [...organizations].flatMap((organizationId) => {
      const queue = this.#queues.get(organizationId) ?? [];
      this.#queues.delete(organizationId);
      return queue.map(({ number }) => number);
    });
  }
}

/** What the thread is started with. */
export interface WriterData {
  databaseUrl: string;
  databaseOptions?: DatabaseOptions | undefined;
  /** Events of one organization that may wait for their campaign. */
  quarantineMax: number;
}

/** The file that the thread is started with. */
export const writerFile = new URL(import.meta.url);

const { writing } = (workerData ?? {}) as { writing?: WriterData };
if (!isMainThread && writing) {
  const { databaseUrl, databaseOptions, quarantineMax } = writing;
  const writer = new Writer(await openDatabase(databaseUrl, databaseOptions), quarantineMax);
  parentPort?.on("message", (message) => writer.take(message));
}
