// Queued jobs of the writer thread: one queue per organization, served round-robin, so that no organization starves.

import { captureSync, type Outcome, postResult } from "./job-results.ts";
import type { Job, PreparedJob } from "./jobs.ts";

/** Limits of one commit, which bound memory and the time others wait. A job with more bytes gets its own commit. */
const jobsPerCommit = 64;
/** The limit for one organization. Jobs are prepared without a pause, and the others wait for that, too. */
const bytesPerCommit = 256 * 1024;
/** A commit that organizations share takes about this long, or one large job. Its bytes adapt to the speed of the disk. */
const sharedCommitMs = 20;
/**
 * The length while no other organization sends anything: each commit publishes a campaign once, whatever it counts. An
 * organization that begins to send waits for one such commit.
 */
const loneCommitMs = 160;
const commitsUntilLone = 50;
const sharedCommitBytes = { min: 32 * 1024, max: 1024 * 1024 } as const;
const bytesPerMsAtStart = (128 * 1024) / sharedCommitMs;

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
  /** Who had jobs in the last commit, how many bytes, and how many it could have had. */
  #last = { organizationIds: [] as number[], bytes: 0, maxBytes: 0 };
  /** Commits in a row during which no other organization had a job. */
  #loneCommits = 0;
  #bytesPerMs = bytesPerMsAtStart;

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
    const maxBytes = isOfOne ? bytesPerCommit : this.#sharedBytes();
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
    this.#last = { organizationIds: [...taken.keys()], bytes, maxBytes };
    return new Map([...taken.values()].flat());
  }

  /** Maximum bytes of a commit that organizations share. */
  #sharedBytes(): number {
    const present = new Set([...this.#queues.keys(), ...this.#last.organizationIds]);
    this.#loneCommits = present.size === 1 ? this.#loneCommits + 1 : 0;
    const ms = this.#loneCommits > commitsUntilLone ? loneCommitMs : sharedCommitMs;
    return Math.min(Math.max(this.#bytesPerMs * ms, sharedCommitBytes.min), sharedCommitBytes.max);
  }

  /** Moves organizations with jobs in the last commit to the end, behind jobs that arrived while it ran. */
  #letOthersGoFirst(): void {
    for (const organizationId of this.#last.organizationIds) {
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

  /**
   * Adapts the size of shared commits, so that the next one takes as long as intended.
   *
   * @param ms how long the last commit took
   */
  adapt(ms: number): void {
    const { bytes, maxBytes } = this.#last;
    // A small commit says little: most of its time does not depend on its bytes.
    if (bytes >= maxBytes / 2) this.#bytesPerMs = bytes / ms;
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
