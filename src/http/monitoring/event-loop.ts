// Monitors the event loop: measures how long it delays requests, and reports at once when it blocks for too long.

import { minuteMs } from "../../campaign/calendar/durations.ts";
import type { PrometheusMetrics } from "./metrics.ts";

/** The service promises that nothing blocks the event loop for longer. */
const blockedMs = 50;
/** Between two samples. A delay can be underestimated by this much. */
const sampledEveryMs = 10;
const reportedEveryMs = 10_000;
/** A longer delay means a suspended process, not work: only this many of its samples are counted. */
const maxSamples = minuteMs / sampledEveryMs;

export interface BlockedReport {
  /** The longest delay since the last report. */
  ms: number;
  /** CPU time of the thread during that delay, at least half of it. */
  cpuMs: number;
  /** How many delays were too long since the last report. */
  times: number;
}

export interface EventLoopMonitor {
  stop(): void;
}

type EventLoopMetrics = Pick<
  PrometheusMetrics,
  | "email_analytics_event_loop_delay_seconds"
  | "email_analytics_event_loop_delay_longest_seconds"
  | "email_analytics_event_loop_held_up_total"
>;

/** @param report called when the loop was blocked, at most once in ten seconds */
export function monitorEventLoop(
  metrics: EventLoopMetrics,
  report: (blocked: BlockedReport) => void,
): EventLoopMonitor {
  const longestDelay = trackLongest(performance.now());
  let unreported: BlockedReport | undefined;
  let reportedAt = Number.NEGATIVE_INFINITY;
  let last = { at: performance.now(), cpuMs: threadCpuMs() };
  const reportNow = (now: number) => {
    if (unreported) report(unreported);
    unreported = undefined;
    reportedAt = now;
  };
  const noteBlocked = (delayMs: number, cpuMs: number) => {
    metrics.email_analytics_event_loop_held_up_total.inc();
    const longest = unreported && unreported.ms >= delayMs ? unreported : { ms: delayMs, cpuMs };
    unreported = { ms: longest.ms, cpuMs: longest.cpuMs, times: (unreported?.times ?? 0) + 1 };
  };
  const sample = () => {
    const now = { at: performance.now(), cpuMs: threadCpuMs() };
    const delayMs = Math.max(0, now.at - last.at - sampledEveryMs);
    observeDelay(metrics, delayMs);
    metrics.email_analytics_event_loop_delay_longest_seconds.set(longestDelay(now.at, delayMs) / 1000);
    const cpuMs = Math.min(delayMs, now.cpuMs - last.cpuMs);
    // Otherwise the thread waited for a busy CPU: nothing in the service held the loop up.
    if (delayMs > blockedMs && cpuMs >= delayMs / 2) noteBlocked(delayMs, cpuMs);
    if (unreported && now.at - reportedAt >= reportedEveryMs) reportNow(now.at);
    last = now;
  };
  const timer = setInterval(sample, sampledEveryMs).unref();
  return {
    stop() {
      clearInterval(timer);
      reportNow(performance.now());
    },
  };
}

/** @returns a function that notes a delay and returns the longest one of this minute and the last, in milliseconds */
function trackLongest(startedAt: number): (now: number, delayMs: number) => number {
  let minute = { startedAt, longestMs: 0, previousLongestMs: 0 };
  return (now, delayMs) => {
    if (now - minute.startedAt >= minuteMs) {
      minute = { startedAt: now, longestMs: 0, previousLongestMs: minute.longestMs };
    }
    minute.longestMs = Math.max(minute.longestMs, delayMs);
    return Math.max(minute.longestMs, minute.previousLongestMs);
  };
}

/**
 * Also observes the samples that a blocked loop missed, each with the delay that was left at its moment: requests keep
 * arriving while the loop is blocked. Otherwise a delay of a second would weigh as much as one of a millisecond.
 */
function observeDelay(metrics: EventLoopMetrics, delayMs: number): void {
  for (let missed = 0; missed < maxSamples; missed++) {
    const leftMs = delayMs - missed * sampledEveryMs;
    if (leftMs < 0) return;
    metrics.email_analytics_event_loop_delay_seconds.observe(leftMs / 1000);
  }
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
