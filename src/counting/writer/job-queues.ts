// Queued jobs of the writer thread: one queue per organization, served round-robin, so that no organization starves.

import { captureSync, type Outcome, postResult } from "./job-results.ts";
import type { Job, PreparedJob } from "./jobs.ts";

/** Limits of one commit, which bound memory and the time others wait. A commit takes no further job beyond the bytes. */
const jobsPerCommit = 64;
const bytesPerCommit = 1024 * 1024;

interface QueuedJob {
  jobId: number;
  job: Job;
  /** Undefined until the job is prepared. */
  prepared?: Outcome<PreparedJob>;
}

export class JobQueues {
  /** Insertion order is the order of turns. Holds no empty queue. */
  readonly #queues = new Map<number, QueuedJob[]>();
  readonly #prepareJob: (job: Job) => PreparedJob;

  constructor(prepareJob: (job: Job) => PreparedJob) {
    this.#prepareJob = prepareJob;
  }

  get isEmpty(): boolean {
    return this.#queues.size === 0;
  }

  add(queued: { jobId: number; job: Job }): void {
    const { organizationId } = queued.job;
    const queue = this.#queues.get(organizationId) ?? [];
    queue.push({ ...queued });
    this.#queues.set(organizationId, queue);
  }

  /**
   * Takes the jobs of the next commit out of the queues. Jobs that cannot be parsed are answered immediately.
   *
   * @param busy organizations that another commit is writing
   * @param isOfOne whether a commit may hold the jobs of one organization only
   * @returns jobs by id
   */
  takeNext(busy: ReadonlySet<number>, isOfOne: boolean): Map<number, PreparedJob> {
    const jobs = new Map<number, PreparedJob>();
    let bytes = 0;
    const isFull = () => jobs.size >= jobsPerCommit || bytes >= bytesPerCommit;
    for (const [organizationId, queue] of [...this.#queues]) {
      if (busy.has(organizationId)) continue;
      // An organization that had its turn goes to the end.
      this.#queues.delete(organizationId);
      while (queue.length > 0 && !isFull()) {
        const queued = queue.shift() as QueuedJob;
        const prepared = this.#prepare(queued);
        if ("error" in prepared) postResult(queued.jobId, prepared);
        else {
          jobs.set(queued.jobId, prepared.value);
          bytes += prepared.value.bytes;
        }
      }
      if (queue.length > 0) this.#queues.set(organizationId, queue);
      if (isFull() || (isOfOne && jobs.size > 0)) break;
    }
    return jobs;
  }

  /** Prepares the next jobs of an organization while its current commit runs. */
  prepareAhead(organizationId: number): void {
    let bytes = 0;
    for (const queued of (this.#queues.get(organizationId) ?? []).slice(0, jobsPerCommit)) {
      if (bytes >= bytesPerCommit) return;
      const prepared = this.#prepare(queued);
      if ("value" in prepared) bytes += prepared.value.bytes;
    }
  }

  /**
   * Empties the queues of some organizations, or of all.
   *
   * @returns the ids of the removed jobs
   */
  clear(organizationIds: Iterable<number> = [...this.#queues.keys()]): number[] {
    return [...organizationIds].flatMap((organizationId) => {
      const queue = this.#queues.get(organizationId) ?? [];
      this.#queues.delete(organizationId);
      return queue.map(({ jobId }) => jobId);
    });
  }

  #prepare(queued: QueuedJob): Outcome<PreparedJob> {
    queued.prepared ??= captureSync(() => this.#prepareJob(queued.job));
    return queued.prepared;
  }
}
