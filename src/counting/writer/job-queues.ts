// Queued jobs of the writer thread: one queue per organization, served round-robin, so that no organization starves.

import { captureSync, type Outcome, postResult } from "./job-results.ts";
import type { Job, PreparedJob } from "./jobs.ts";

/** Limits of one commit, which bound memory and the time others wait. A job with more bytes gets its own commit. */
const jobsPerCommit = 64;
const bytesPerCommit = 256 * 1024;
/** The limit where organizations share commits: others wait for each, also if their own job is small. */
const sharedCommitBytes = 64 * 1024;
/** After so many commits of one organization only, it gets large ones: each publishes a campaign once, whatever it counts. */
const commitsUntilLone = 50;

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
  /** Who had jobs in the last commit. */
  #last: number[] = [];
  /** Commits in a row during which no other organization had a job. */
  #loneCommits = 0;

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
   * Takes the jobs of the next commit out of the queues, in turn from each organization. Jobs that cannot be parsed are
   * answered immediately.
   *
   * @param busy organizations that another commit is writing
   * @param isOfOne whether a commit may hold the jobs of one organization only
   * @returns jobs by id, those of an organization together
   */
  takeNext(busy: ReadonlySet<number>, isOfOne: boolean): Map<number, PreparedJob> {
    // The writer also looks between jobs that arrive one by one; the last commit is then still the last one.
    if (this.isEmpty) return new Map();
    this.#letOthersGoFirst();
    this.#loneCommits =
      new Set([...this.#queues.keys(), ...this.#last]).size === 1 ? this.#loneCommits + 1 : 0;
    const maxBytes = isOfOne || this.#loneCommits > commitsUntilLone ? bytesPerCommit : sharedCommitBytes;
    const taken = new Map<number, [jobId: number, PreparedJob][]>();
    let [jobs, bytes] = [0, 0];
    const turns = [...this.#queues.keys()].filter((organizationId) => !busy.has(organizationId));
    while (jobs < jobsPerCommit && bytes < maxBytes) {
      const organizationId = turns.shift();
      if (organizationId === undefined) break;
      const job = this.#takeFirst(organizationId, jobs === 0 ? Number.POSITIVE_INFINITY : maxBytes - bytes);
      if (!job) continue;
      taken.set(organizationId, [...(taken.get(organizationId) ?? []), job]);
      jobs += 1;
      bytes += job[1].bytes;
      if (isOfOne) turns.length = 0;
      turns.push(organizationId);
    }
    this.#last = [...taken.keys()];
    return new Map([...taken.values()].flat());
  }

  /** Moves organizations with jobs in the last commit to the end, behind jobs that arrived while it ran. */
  #letOthersGoFirst(): void {
    for (const organizationId of this.#last) {
      const queue = this.#queues.get(organizationId);
      if (!queue) continue;
      this.#queues.delete(organizationId);
      this.#queues.set(organizationId, queue);
    }
  }

  /** Undefined if the organization has no job, or the next one has more bytes: that one waits, and others go first. */
  #takeFirst(organizationId: number, maxBytes: number): [jobId: number, PreparedJob] | undefined {
    const queue = this.#queues.get(organizationId) ?? [];
    for (let queued = queue[0]; queued; queued = queue[0]) {
      if (queued.job.body.length > maxBytes) return undefined;
      const prepared = this.#prepare(queued);
      if ("value" in prepared && prepared.value.bytes > maxBytes) return undefined;
      queue.shift();
      if (queue.length === 0) this.#queues.delete(organizationId);
      if ("value" in prepared) return [queued.jobId, prepared.value];
      postResult(queued.jobId, prepared);
    }
    return undefined;
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
