// The limit on pages that are read at once: turns, waits that are too long, and short turns of the event loop.

import assert from "node:assert/strict";
import test, { type TestContext } from "node:test";
import { limitPageReads } from "../../../src/http/api/limit-page-reads.ts";

const limits = { pageWaitMs: 250, busyPageWaitMs: 20 };

/** A limit of two reads, with a clock of its own. */
function limited(t: TestContext) {
  const clock = { now: 0 };
  t.mock.method(performance, "now", () => clock.now);
  return { clock, limit: limitPageReads(1, limits) };
}

/** Occupies all slots until `release` is called. */
async function occupy(limit: ReturnType<typeof limitPageReads>) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: started, resolve: start } = Promise.withResolvers<void>();
  let running = 0;
  const reads = Array.from({ length: 2 }, () =>
    limit(1, () => {
      running += 1;
      if (running === 2) start();
      return released;
    }),
  );
  await started;
  return { release, reads };
}

const page = async () => "page";
const refused = { code: "unavailable", message: "The service is busy. Try again." };

test("refuses a page that waited too long for its turn, and reads the next one", async (t) => {
  const { clock, limit } = limited(t);
  const { release } = await occupy(limit);
  const [late, inTime] = [limit(1, page), limit(1, page)];
  clock.now = 251;
  const next = limit(1, page);
  release();
  await assert.rejects(late, refused);
  await assert.rejects(inTime, refused);
  assert.equal(await next, "page");
});

test("refuses a page that waited too long while no read ends", async () => {
  const limit = limitPageReads(1, { pageWaitMs: 1, busyPageWaitMs: 1 });
  const { release, reads } = await occupy(limit);
  await assert.rejects(limit(1, page), refused);
  release();
  await Promise.all(reads);
  assert.equal(await limit(1, page), "page");
});

test("lets pages wait for a short time only, once many have been waiting for long without a pause", async (t) => {
  const { clock, limit } = limited(t);
  const { release } = await occupy(limit);
  const first = Array.from({ length: 30 }, () => limit(1, page));
  clock.now = 251;
  const later = limit(1, page);
  clock.now = 272;
  release();
  for (const each of await Promise.allSettled([...first, later])) assert.equal(each.status, "rejected");
  // All have left, so the next ones may wait for long again.
  const { release: releaseAgain } = await occupy(limit);
  const afterPause = limit(1, page);
  clock.now += 250;
  releaseAgain();
  assert.equal(await afterPause, "page");
});

test("refuses no page of 16 clients that each request the next one at once, even of slow ones, or if the process stops for 0.3 s", async (t) => {
  const clock = { now: 0 };
  t.mock.method(performance, "now", () => clock.now);
  for (const pageMs of [1, 10]) {
    const limit = limitPageReads(1);
    const endAt = clock.now + 6_000;
    let pages = 0;
    const client = async () => {
      while (clock.now < endAt) {
        await limit(1, async () => {
          pages += 1;
          clock.now += pages % 400 === 0 ? 300 : pageMs;
        });
      }
    };
    await Promise.all(Array.from({ length: 16 }, client));
  }
});

test("reads a page that waits for no other, however long the process stood still", async (t) => {
  const { clock, limit } = limited(t);
  const read = limit(1, page);
  clock.now = 60_000;
  assert.equal(await read, "page");
});

test("reads pages of organizations in turn, and only a few in one turn of the event loop", async () => {
  const limit = limitPageReads(1, { pageWaitMs: 60_000, busyPageWaitMs: 60_000 });
  const read: number[] = [];
  const organizations = [...Array<number>(20).fill(1), 2];
  const reads = organizations.map((organizationId) =>
    limit(organizationId, async () => read.push(organizationId)),
  );
  let most = 0;
  for (let before = 0; read.length < organizations.length; before = read.length) {
    await new Promise(setImmediate);
    most = Math.max(most, read.length - before);
  }
  await Promise.all(reads);
  assert.ok(most <= 4, `${most} pages were read in one turn`);
  assert.ok(read.indexOf(2) <= 3, read.join(" "));
});
