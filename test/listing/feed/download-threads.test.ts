// Download threads: what happens when one ends, and how far one reads ahead of a client.

import assert from "node:assert/strict";
import { once } from "node:events";
import test, { type TestContext } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { DownloadBody } from "../../../src/listing/feed/download-body.ts";
import { startDownloadThreads } from "../../../src/listing/feed/download-threads.ts";
import { longCampaigns } from "../../support/downloads.ts";
import { sqliteTest } from "../../support/sqlite-test.ts";
import { campaign, makeAcme, present } from "../../support/world.ts";

/** Threads, and a download of one campaign with them. */
async function given(t: TestContext, { maxDownloads = 1, maxSeconds = 60 } = {}) {
  const { world, organization } = await makeAcme(t);
  await world.save(organization, [campaign({ id: 1 })]);
  const limits = { maxDownloads, maxSeconds, maxStallMs: 30_000 };
  const threads = startDownloadThreads({ databaseUrl: world.databaseUrl, ...limits });
  t.after(() => threads.stop());
  const start = (signal = new AbortController().signal, of = organization) =>
    threads.start(
      {
        organizationId: of.id,
        timeZone: of.timeZone,
        content: { table: "emails", format: "ndjson", selection: { sentUntil: present } },
        isGzipped: false,
      },
      signal,
    );
  const succeeds = async () => {
    const { body } = await start();
    assert.equal(JSON.parse(String(Buffer.concat(await body.toArray()))).id, 1);
  };
  return { world, organization, threads, start, succeeds };
}

test("fails a download whose thread ends, and serves the next one with a new thread", async (t) => {
  const { threads, start, succeeds } = await given(t);
  // The request waits in the port of a thread that is only starting.
  const started = start();
  await nextTurn();
  await threads.stop();
  await assert.rejects(started, /the download thread ended/);
  await succeeds();
});

sqliteTest("frees the thread of a download that is canceled before its first byte", async (t) => {
  const { world, organization, start } = await given(t);
  // More than a thread sends before the client reads.
  await world.save(organization, longCampaigns(100));
  const left = new AbortController();
  const started = start(left.signal);
  await nextTurn();
  left.abort();
  await assert.rejects(started, { name: "AbortError" });
  const { body } = await start();
  body.destroy();
});

sqliteTest("cuts a download whose client takes nothing for half a minute", async (t) => {
  const { world, organization, start } = await given(t, { maxSeconds: 3_600 });
  await world.save(organization, longCampaigns(100));
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const worker = once(process, "worker");
  const started = start();
  const [thread] = (await worker) as [Worker];
  let pieces = 0;
  await new Promise<void>((resolve) => {
    thread.on("message", (message) => "piece" in message && ++pieces === 4 && resolve());
  });
  const { body } = await started;
  const cut = once(body, "error");
  t.mock.timers.tick(29_999);
  assert.equal(body.destroyed, false);
  t.mock.timers.tick(1);
  assert.equal(body.destroyed, true);
  const [error] = await cut;
  assert.equal(error.message, "the client took less than a piece of the download in 30 seconds");
  const next = await start();
  next.body.destroy();
});

sqliteTest("leaves a thread to other organizations, however many downloads one of them wants", async (t) => {
  const { world, organization, start } = await given(t, { maxDownloads: 2 });
  await world.save(organization, longCampaigns(100));
  const other = await world.addOrganization();
  const left = new AbortController();
  const [first, second] = [await start(left.signal), start(left.signal)];
  const { body } = await start(undefined, other.organization);
  assert.equal((await body.toArray()).length, 0);
  left.abort();
  await assert.rejects(second, { name: "AbortError" });
  assert.equal(first.body.destroyed, true);
});

test("ends a thread that reads on after its download was canceled", async (t) => {
  const { start } = await given(t);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const worker = once(process, "worker");
  const left = new AbortController();
  const started = start(left.signal);
  const [thread] = (await worker) as [Worker];
  // A thread that starts sees no message.
  left.abort();
  t.mock.timers.tick(5_000);
  await assert.rejects(started, { name: "AbortError" });
  await once(thread, "exit");
});

sqliteTest("a thread serves one download after another, and ends half a minute after the last", async (t) => {
  const { succeeds } = await given(t);
  const started: Worker[] = [];
  const count = (thread: Worker) => started.push(thread);
  process.on("worker", count);
  t.after(() => process.off("worker", count));
  await succeeds();
  await nextTurn();
  t.mock.timers.enable({ apis: ["setTimeout"] });
  await succeeds();
  await nextTurn();
  assert.equal(started.length, 1);
  const ended = once(started[0] as Worker, "exit");
  t.mock.timers.tick(30_000);
  await ended;
  await succeeds();
  assert.equal(started.length, 2);
});

sqliteTest("takes a piece only when the client has read the ones before", async () => {
  let taken = 0;
  const body = new DownloadBody({ maxStallMs: 1_000, taken: () => taken++, closed: () => undefined });
  const piece = () => new Uint8Array(256 * 1024);
  for (let count = 0; count < 4; count++) body.add(piece());
  assert.equal(taken, 0);
  body.read(1);
  await nextTurn();
  assert.equal(taken, 1);
  body.resume();
  await nextTurn();
  assert.equal(taken, 4);
  body.complete();
  await once(body, "end");
});

sqliteTest("ends without an error only if it is complete", async () => {
  const body = new DownloadBody({ maxStallMs: 1_000, taken: () => undefined, closed: () => undefined });
  body.add(new Uint8Array(10));
  body.destroy(new Error("cut"));
  await assert.rejects(body.toArray(), { message: "cut" });
});
