// The thread that writes to the database.

import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import test from "node:test";
import type { Worker } from "node:worker_threads";
import { startWriterThread } from "../../../src/counting/writer/writer-thread.ts";
import { makeWorld } from "../../support/world.ts";

test("has a small young generation, because written events are garbage soon", async (t) => {
  const { databaseUrl } = await makeWorld(t);
  const limits: (number | undefined)[] = [];
  const note = (message: unknown) => {
    limits.push((message as { worker: Worker }).worker.resourceLimits?.maxYoungGenerationSizeMb);
  };
  subscribe("worker_threads", note);
  t.after(() => unsubscribe("worker_threads", note));

  const writer = startWriterThread({ databaseUrl, maxQueueBytes: 1_000_000, maxQuarantined: 100 });
  writer.start();
  await writer.stop();
  assert.deepEqual(limits, [8]);
});
