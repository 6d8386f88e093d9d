// How long the event loop keeps those waiting who come in: measured all the time, and told at once where it is too long.

import { minuteMs } from "../../campaign/calendar/durations.ts";
import { Histogram } from "./histogram.ts";
import type { Measured } from "./metrics.ts";

/** Nothing holds up requests for longer: this is what the service promises. */
export const heldUpMs = 50;
/** Between two looks. What lies between them is seen as too short by up to so much. */
const everyMs = 10;
/** Between two reports. */
const reportedEveryMs = 10_000;
/** What is longer was no work of ours but a process that was suspended; its moments are not all counted. */
const momentsMax = minuteMs / everyMs;

/** In seconds. The clock of the loop ticks in milliseconds, so that smaller ones would say nothing. */
const bounds = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5];

export interface HeldUp {
  /** The longest time since the last report. */
  ms: number;
  /**
   * How much of it the thread itself was at work. Where that is much less, it waited for a processor or a disk, or the
   * process was suspended.
   */
  cpuMs: number;
  /** How many times it was too long since the last report. */
  times: number;
}

export interface EventLoopWatch {
  measured(): Measured;
  stop(): void;
}

/** @param report is called when the loop was held up, at most once in ten seconds */
export function watchEventLoop(report: (heldUp: HeldUp) => void): EventLoopWatch {
  const delays = new Histogram(bounds);
  let heldUpTimes = 0;
  let minute = { startedAt: performance.now(), longestMs: 0, beforeMs: 0 };
  let unreported: HeldUp | undefined;
  let reportedAt = Number.NEGATIVE_INFINITY;
  let last = { at: performance.now(), cpuMs: threadCpuMs() };
  const reportNow = (now: number) => {
    if (unreported) report(unreported);
    unreported = undefined;
    reportedAt = now;
  };
  const look = () => {
    const now = { at: performance.now(), cpuMs: threadCpuMs() };
    const lateMs = Math.max(0, now.at - last.at - everyMs);
    addMoments(delays, lateMs);
    if (now.at - minute.startedAt >= minuteMs) {
      minute = { startedAt: now.at, longestMs: 0, beforeMs: minute.longestMs };
    }
    minute.longestMs = Math.max(minute.longestMs, lateMs);
    if (lateMs > heldUpMs) {
      heldUpTimes += 1;
      const cpuMs = Math.min(lateMs, now.cpuMs - last.cpuMs);
      const longest = unreported && unreported.ms >= lateMs ? unreported : { ms: lateMs, cpuMs };
      unreported = { ms: longest.ms, cpuMs: longest.cpuMs, times: (unreported?.times ?? 0) + 1 };
    }
    if (unreported && now.at - reportedAt >= reportedEveryMs) reportNow(now.at);
    last = now;
  };
  const timer = setInterval(look, everyMs).unref();
  return {
    measured: () => ({
      email_analytics_event_loop_delay_seconds: [{ value: delays }],
      email_analytics_event_loop_delay_longest_seconds: [
        { value: Math.max(minute.longestMs, minute.beforeMs) / 1000 },
      ],
      email_analytics_event_loop_held_up_total: [{ value: heldUpTimes }],
    }),
    stop() {
      clearInterval(timer);
      reportNow(performance.now());
    },
  };
}

/**
 * While the loop is held up nobody looks, but requests come in all the same: each look that did not take place counts
 * with the time that was left from its moment on. Otherwise a second would count as much as a millisecond.
 */
function addMoments(delays: Histogram, lateMs: number): void {
  for (let moment = 0; moment < momentsMax; moment++) {
    const leftMs = lateMs - moment * everyMs;
    if (leftMs < 0) return;
    delays.add(leftMs / 1000);
  }
}

function threadCpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
