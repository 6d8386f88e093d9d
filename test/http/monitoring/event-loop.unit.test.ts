// The watch over the event loop: what it measures, when it reports, and that it holds up nothing itself.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import test, { type TestContext } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { hourMs } from "../../../src/campaign/calendar/durations.ts";
import { type EventLoopWatch, type HeldUp, watchEventLoop } from "../../../src/http/monitoring/event-loop.ts";
import { Histogram } from "../../../src/http/monitoring/histogram.ts";

const watchFile = new URL("../../../src/http/monitoring/event-loop.ts", import.meta.url);

/** A watch whose clock stands still: `pass` lets time pass, and the look that is due after it comes so much too late. */
function watchOnClock(t: TestContext) {
  let [now, cpuMs] = [1_000, 0];
  t.mock.timers.enable({ apis: ["setInterval"] });
  t.mock.method(performance, "now", () => now);
  t.mock.method(process, "threadCpuUsage", () => ({ user: cpuMs * 1_000, system: 0 }));
  const reports: HeldUp[] = [];
  const watch = watchEventLoop((heldUp) => reports.push(heldUp));
  const pass = (lateMs = 0, atWorkMs = lateMs) => {
    now += 10 + lateMs;
    cpuMs += atWorkMs;
    t.mock.timers.tick(10);
  };
  const passSeconds = (seconds: number) => {
    for (let looks = 0; looks < seconds * 100; looks++) pass();
  };
  return { watch, reports, pass, passSeconds };
}

function read(watch: EventLoopWatch) {
  const measured = watch.measured();
  const {
    email_analytics_event_loop_delay_seconds: [delays] = [],
    email_analytics_event_loop_delay_longest_seconds: [longest] = [],
    email_analytics_event_loop_held_up_total: [heldUp] = [],
  } = measured;
  assert.ok(delays?.value instanceof Histogram);
  return { delays: delays.value, longest: longest?.value, heldUp: heldUp?.value };
}

test("each look that did not take place counts with the time that was left from its moment on", (t) => {
  const { watch, pass } = watchOnClock(t);
  pass();
  pass(0.5);
  assert.deepEqual(read(watch).delays.counts, [2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  // 125 ms too late, and those at 115, 105, 95 … 5 ms not at all.
  pass(125);
  const { delays, longest, heldUp } = read(watch);
  assert.deepEqual(delays.counts, [2, 1, 0, 1, 3, 5, 3, 0, 0, 0, 0, 0]);
  assert.ok(Math.abs(delays.sum - 0.8455) < 1e-9, String(delays.sum));
  assert.deepEqual([longest, heldUp], [0.125, 1]);
});

test("a process that was suspended for a night counts for a minute", (t) => {
  const { watch, reports, pass } = watchOnClock(t);
  pass(8 * hourMs, 3);
  assert.equal(
    read(watch).delays.counts.reduce((sum, count) => sum + count),
    6_000,
  );
  assert.deepEqual(reports, [{ ms: 8 * hourMs, cpuMs: 3, times: 1 }]);
});

test("the longest delay is seen for a full minute and not for more than two", (t) => {
  const { watch, pass, passSeconds } = watchOnClock(t);
  passSeconds(59);
  pass(40);
  passSeconds(60);
  assert.equal(read(watch).longest, 0.04);
  pass(20);
  passSeconds(59);
  assert.equal(read(watch).longest, 0.02);
  assert.equal(read(watch).heldUp, 0);
});

test("more than 50 ms are reported at once, and then no more than once in ten seconds, with the longest", (t) => {
  const { reports, pass, passSeconds } = watchOnClock(t);
  pass(50);
  assert.deepEqual(reports, []);
  pass(51, 50);
  assert.deepEqual(reports.splice(0), [{ ms: 51, cpuMs: 50, times: 1 }]);
  pass(60);
  pass(300, 20);
  pass(70);
  passSeconds(9);
  assert.deepEqual(reports, []);
  passSeconds(1);
  assert.deepEqual(reports.splice(0), [{ ms: 300, cpuMs: 20, times: 3 }]);
  passSeconds(30);
  assert.deepEqual(reports, []);
});

test("what was not reported yet is reported when the watch stops", (t) => {
  const { watch, reports, pass } = watchOnClock(t);
  pass(60);
  pass(70);
  watch.stop();
  assert.deepEqual(
    reports.map(({ ms }) => ms),
    [60, 70],
  );
  pass(500);
  assert.equal(reports.length, 2);
});

test("a loop that is really busy for 120 ms is seen", async () => {
  const reports: HeldUp[] = [];
  const watch = watchEventLoop((heldUp) => reports.push(heldUp));
  await pause(30);
  const began = performance.now();
  while (performance.now() - began < 120);
  await pause(30);
  watch.stop();
  // The look before it was up to ten milliseconds ago, and the machine may have been busy as well.
  assert.ok(Number(read(watch).longest) >= 0.109, String(read(watch).longest));
  assert.ok(reports.some(({ ms }) => ms >= 109));
});

test("the watch does not keep a process alive", async () => {
  const program = `import { watchEventLoop } from ${JSON.stringify(watchFile.href)}; watchEventLoop(() => {});`;
  const argv = ["--input-type=module", "--eval", program];
  const { stdout } = await promisify(execFile)(process.execPath, argv, { timeout: 120_000 });
  assert.equal(stdout, "");
});
