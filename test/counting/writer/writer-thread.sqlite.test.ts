// What becomes of jobs when the writer thread ends.

import assert from "node:assert/strict";
import { channel } from "node:diagnostics_channel";
import test, { type TestContext } from "node:test";
import type { Worker } from "node:worker_threads";
import type { Job, TaskResults } from "../../../src/counting/writer/jobs.ts";
import { startWriterThread } from "../../../src/counting/writer/writer-thread.ts";
import { opens } from "../../support/events.ts";
import { makeWorld } from "../../support/world.ts";

async function given(t: TestContext) {
  const world = await makeWorld(t);
  const { organization } = await world.addOrganization();
  await world.register(organization, 1);
  const { databaseUrl } = world;
  const writer = startWriterThread({ databaseUrl, maxQueueBytes: 1024 * 1024, maxQuarantineBytes: 0 });
  t.after(() => writer.stop());
  const write = <Name extends keyof TaskResults>(
    task: Job["task"] & { name: Name },
    body: Uint8Array = new Uint8Array(),
  ) =>
    writer.write<Name>({
      ...{ organizationId: organization.id, now: world.clock.now, isGzipped: false },
      ...{ body, task },
    });
  const ingest = (events: unknown[]) =>
    write({ name: "ingest_events", format: "json", sender: 1 }, Buffer.from(JSON.stringify({ events })));
  return { write, ingest };
}

/** Ends the next threads that start. */
function endThreads(count: number): void {
  const started = channel("worker_threads");
  let left = count;
  const end = (message: unknown) => {
    left -= 1;
    if (left === 0) started.unsubscribe(end);
    setImmediate(() => (message as { worker: Worker }).worker.terminate());
  };
  started.subscribe(end);
}

test("events that wait when the thread ends are counted by the next one, once, and other jobs fail", async (t) => {
  const { write, ingest } = await given(t);
  const events = opens(20);
  endThreads(1);
  const sent = events.map((event) => ingest([event]));
  const failed = assert.rejects(write({ name: "close_campaign", id: 1 }), /the writer thread ended/);
  await failed;
  const results = await Promise.all(sent);
  for (const { accepted, repeated } of results) assert.equal(accepted + repeated, 1);
  const again = await ingest(events);
  assert.deepEqual([again.accepted, again.repeated], [0, events.length]);
});

test("a job fails if two threads end with it", async (t) => {
  const { ingest } = await given(t);
  // All are sent to the first thread, and then each alone to one of its own.
  endThreads(4);
  const failed = opens(3).map((event) => assert.rejects(ingest([event]), /the writer thread ended/));
  await Promise.all(failed);
  assert.equal((await ingest(opens(1))).accepted, 1);
});
