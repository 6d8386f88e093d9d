// The queues of the writer thread: fair between organizations, bounded per commit.

import assert from "node:assert/strict";
import test from "node:test";
import { JobQueues } from "../../../src/counting/writer/job-queues.ts";
import type { Job, PreparedJob } from "../../../src/counting/writer/jobs.ts";

function prepare({ organizationId, body }: Job): PreparedJob {
  return { organizationId, bytes: body.length, isIdempotent: true, write: async () => true };
}

/** Queues with jobs of these organizations, numbered from 1. */
function queuesOf(organizations: readonly number[], bytes = 0): JobQueues {
  const queues = new JobQueues(prepare);
  for (const [index, organizationId] of organizations.entries()) {
    const task = { name: "ingest_tracked" } as const;
    const job = { organizationId, now: 0, body: new Uint8Array(bytes), isGzipped: false, task };
    queues.add({ jobId: index + 1, job });
  }
  return queues;
}

const none: ReadonlySet<number> = new Set();

test("takes the jobs of all organizations into one commit when commits may be shared", () => {
  const queues = queuesOf([1, 2, 1]);
  assert.deepEqual([...queues.takeNext(none, false).keys()], [1, 3, 2]);
  assert.equal(queues.isEmpty, true);
});

test("takes one organization after the other when a commit holds only one", () => {
  const queues = queuesOf([1, 2, 1, 3]);
  assert.deepEqual([...queues.takeNext(none, true).keys()], [1, 3]);
  assert.deepEqual([...queues.takeNext(none, true).keys()], [2]);
  assert.deepEqual([...queues.takeNext(none, true).keys()], [4]);
});

test("skips organizations that another commit is writing", () => {
  const queues = queuesOf([1, 2]);
  assert.deepEqual([...queues.takeNext(new Set([1]), false).keys()], [2]);
  assert.equal(queues.isEmpty, false);
});

test("takes at most 64 jobs into a commit, in turn from each organization", () => {
  const queues = queuesOf([...Array.from({ length: 70 }, () => 1), 2, 3, 3]);
  assert.deepEqual([...queues.takeNext(none, false).keys()].slice(60), [61, 71, 72, 73]);
  assert.deepEqual([...queues.takeNext(none, false).keys()], [62, 63, 64, 65, 66, 67, 68, 69, 70]);
});

test("takes no job into a commit of one organization that makes it larger than 256 KiB", () => {
  const queues = queuesOf([1, 1, 1, 1], 100 * 1024);
  assert.deepEqual([...queues.takeNext(none, true).keys()], [1, 2]);
  assert.deepEqual([...queues.takeNext(none, true).keys()], [3, 4]);
});

/** Queues on a database whose commits organizations share. Each job has 20 KiB. */
function sharedQueues() {
  const queues = new JobQueues(prepare);
  let lastJobId = 0;
  return {
    add(organizationId: number, count = 1) {
      const task = { name: "ingest_tracked" } as const;
      const job = { organizationId, now: 0, body: new Uint8Array(20 * 1024), isGzipped: false, task };
      for (let added = 0; added < count; added++) queues.add({ jobId: ++lastJobId, job });
    },
    /** The number of jobs in the next commit. */
    take: () => queues.takeNext(none, false).size,
  };
}

test("takes 64 KiB into a shared commit, and 256 KiB after 50 commits without another organization", () => {
  const { add, take } = sharedQueues();
  add(1, 500);
  const sizes = Array.from({ length: 52 }, take);
  assert.deepEqual([...new Set(sizes.slice(0, 50))], [3]);
  assert.deepEqual(sizes.slice(50), [12, 12]);
  add(2);
  assert.equal(take(), 3, "with the job of another organization");
  const after = Array.from({ length: 50 }, take);
  assert.deepEqual([...new Set(after)], [3], "after it");
});

test("takes no more for an organization when another one has sent the job before, however slowly they send", () => {
  const { add, take } = sharedQueues();
  for (let count = 0; count < 100; count++) {
    add(1 + (count % 2));
    assert.deepEqual([take(), take()], [1, 0]);
  }
  add(1, 100);
  assert.equal(take(), 3);
});

test("counts commits, not looks into empty queues, until it takes more", () => {
  const { add, take } = sharedQueues();
  for (let count = 0; count < 49; count++) {
    add(1);
    assert.deepEqual([take(), take()], [1, 0]);
  }
  add(1, 100);
  assert.deepEqual([take(), take()], [3, 12]);
});

test("takes a large job alone, after the small jobs of others that arrived meanwhile", () => {
  const queues = new JobQueues(prepare);
  const add = (jobId: number, organizationId: number, kilobytes: number) => {
    const task = { name: "ingest_tracked" } as const;
    const body = new Uint8Array(kilobytes * 1024);
    queues.add({ jobId, job: { organizationId, now: 0, body, isGzipped: false, task } });
  };
  const next = () => [...queues.takeNext(none, false).keys()];
  for (const jobId of [1, 2, 3]) add(jobId, 1, 1_200);
  add(4, 2, 1);
  add(5, 3, 1);
  assert.deepEqual(next(), [1]);
  assert.deepEqual(next(), [4, 5]);
  add(6, 2, 1);
  assert.deepEqual(next(), [2], "the small jobs of others do not starve it");
  assert.deepEqual(next(), [6]);
  assert.deepEqual(next(), [3]);
});

test("removes the queued jobs of given organizations, or of all", () => {
  const queues = queuesOf([1, 2, 1, 3]);
  assert.deepEqual(queues.clear([1]), [1, 3]);
  assert.deepEqual(queues.clear(), [2, 4]);
  assert.equal(queues.isEmpty, true);
});

test("prepares each job once", () => {
  let prepared = 0;
  const queues = new JobQueues((job) => {
    prepared += 1;
    return prepare(job);
  });
  const task = { name: "ingest_tracked" } as const;
  const job = { organizationId: 1, now: 0, body: new Uint8Array(), isGzipped: false, task };
  queues.add({ jobId: 1, job });
  queues.prepareAhead(1);
  assert.equal(queues.takeNext(none, false).size, 1);
  assert.equal(prepared, 1);
});
