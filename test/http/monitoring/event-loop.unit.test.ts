// The event loop monitor: what it measures, when it reports, and that it does not keep a process alive.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import test, { type TestContext } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { hourMs } from "../../../src/campaign/calendar/durations.ts";
import { type BlockedReport, monitorEventLoop } from "../../../src/http/monitoring/event-loop.ts";
import { createMetrics, type PrometheusMetrics } from "../../../src/http/monitoring/metrics.ts";

/** Starts a monitor on a fake clock. `pass` lets one sampling interval pass, and delays the sample by `delayMs`. */
function monitorOnFakeClock(t: TestContext) {
  let [now, cpuMs] = [1_000, 0];
  t.mock.timers.enable({ apis: ["setInterval"] });
  t.mock.method(performance, "now", () => now);
  t.mock.method(process, "threadCpuUsage", () => ({ user: cpuMs * 1_000, system: 0 }));
  const reports: BlockedReport[] = [];
  const metrics = createMetrics();
  const monitor = monitorEventLoop(metrics, (blocked) => reports.push(blocked));
  const pass = (delayMs = 0, busyMs = delayMs) => {
    now += 10 + delayMs;
    cpuMs += busyMs;
    t.mock.timers.tick(10);
  };
  const passSeconds = (seconds: number) => {
    for (let samples = 0; samples < seconds * 100; samples++) pass();
  };
  return { monitor, metrics, reports, pass, passSeconds };
}

/** The counts of the buckets up to +Inf, not cumulative, and the other values. */
async function read(metrics: PrometheusMetrics) {
  const { values } = await metrics.email_analytics_event_loop_delay_seconds.get();
  const upTo = values.filter(({ labels }) => labels.le !== undefined).map(({ value }) => value);
  const firstValueOf = async (metric: { get(): Promise<{ values: { value: number }[] }> }) =>
    (await metric.get()).values[0]?.value;
  return {
    counts: upTo.map((count, index) => count - (upTo[index - 1] ?? 0)),
    sum: values.find(({ metricName }) => metricName?.endsWith("_sum"))?.value ?? Number.NaN,
    longest: await firstValueOf(metrics.email_analytics_event_loop_delay_longest_seconds),
    blocked: await firstValueOf(metrics.email_analytics_event_loop_held_up_total),
  };
}

test("counts the samples that a blocked event loop missed, each with the delay that was left", async (t) => {
  const { metrics, pass } = monitorOnFakeClock(t);
  pass();
  pass(0.5);
  assert.deepEqual((await read(metrics)).counts, [2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
  // One sample is 125 ms late. Those due 115, 105, 95 … 5 ms before it were missed.
  pass(125);
  const { counts, sum, longest, blocked } = await read(metrics);
  assert.deepEqual(counts, [2, 1, 0, 1, 3, 5, 3, 0, 0, 0, 0, 0]);
  assert.ok(Math.abs(sum - 0.8455) < 1e-9, String(sum));
  assert.deepEqual([longest, blocked], [0.125, 1]);
});

test("counts at most a minute of samples when the process was suspended for a night", async (t) => {
  const { metrics, reports, pass } = monitorOnFakeClock(t);
  pass(8 * hourMs, 3);
  assert.equal(
    (await read(metrics)).counts.reduce((sum, count) => sum + count),
    6_000,
  );
  assert.deepEqual(reports, [], "the process did not work in that time");
});

test("shows the longest delay for at least one minute and at most two", async (t) => {
  const { metrics, pass, passSeconds } = monitorOnFakeClock(t);
  passSeconds(59);
  pass(40);
  passSeconds(60);
  assert.equal((await read(metrics)).longest, 0.04);
  pass(20);
  passSeconds(59);
  assert.equal((await read(metrics)).longest, 0.02);
  assert.equal((await read(metrics)).blocked, 0);
});

test("reports a delay above 50 ms at once, then at most every ten seconds with the longest", (t) => {
  const { reports, pass, passSeconds } = monitorOnFakeClock(t);
  pass(50);
  assert.deepEqual(reports, []);
  pass(51, 50);
  assert.deepEqual(reports.splice(0), [{ ms: 51, cpuMs: 50, times: 1 }]);
  pass(60);
  pass(300, 150);
  pass(70);
  passSeconds(9);
  assert.deepEqual(reports, []);
  passSeconds(1);
  assert.deepEqual(reports.splice(0), [{ ms: 300, cpuMs: 150, times: 3 }]);
  passSeconds(30);
  assert.deepEqual(reports, []);
});

test("reports no delay in which the thread waited for a busy CPU, but measures it", async (t) => {
  const { metrics, reports, pass, passSeconds } = monitorOnFakeClock(t);
  for (let times = 0; times < 20; times++) {
    pass(200, 0);
    pass(400, 199);
    passSeconds(20);
  }
  assert.deepEqual(reports, []);
  const { longest, blocked } = await read(metrics);
  assert.deepEqual([longest, blocked], [0.4, 0]);
});

test("reports pending delays when the event loop monitor stops", (t) => {
  const { monitor, reports, pass } = monitorOnFakeClock(t);
  pass(60);
  pass(70);
  monitor.stop();
  assert.deepEqual(
    reports.map(({ ms }) => ms),
    [60, 70],
  );
  pass(500);
  assert.equal(reports.length, 2);
});

test("detects a real event loop that is blocked for 120 ms", async () => {
  const reports: BlockedReport[] = [];
  const metrics = createMetrics();
  const monitor = monitorEventLoop(metrics, (blocked) => reports.push(blocked));
  await delay(30);
  const startedAt = performance.now();
  while (performance.now() - startedAt < 120);
  await delay(30);
  monitor.stop();
  // The previous sample was up to 10 ms earlier.
  const { longest } = await read(metrics);
  assert.ok(Number(longest) >= 0.109, String(longest));
  // Other processes may have had the CPU meanwhile.
  for (const { ms, cpuMs } of reports) assert.ok(cpuMs >= ms / 2);
});

const monitorFile = new URL("../../../src/http/monitoring/event-loop.ts", import.meta.url);
const metricsFile = new URL("../../../src/http/monitoring/metrics.ts", import.meta.url);

test("the event loop monitor does not keep a process alive", async () => {
  const program = `import { monitorEventLoop } from ${JSON.stringify(monitorFile.href)}; import { createMetrics } from ${JSON.stringify(metricsFile.href)}; monitorEventLoop(createMetrics(), () => {});`;
  const argv = ["--input-type=module", "--eval", program];
  const { stdout } = await promisify(execFile)(process.execPath, argv, { timeout: 120_000 });
  assert.equal(stdout, "");
});
